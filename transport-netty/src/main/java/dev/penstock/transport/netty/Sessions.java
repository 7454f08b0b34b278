package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.protocol.KnownSession;
import dev.penstock.transport.protocol.SessionLookup;
import dev.penstock.transport.protocol.Trust;
import io.netty.channel.group.ChannelGroup;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A node's sessions: those it dialed by address, those it accepted by id. Thread safe. */
final class Sessions implements SessionLookup {
  private record Id(long high, long low) {}

  private final Node node;
  private final Gates gates;
  private final EventLoops loops;
  private final ChannelGroup connections;
  private final Map<InetSocketAddress, DialedSession> dialed = new ConcurrentHashMap<>();

  /** The dialed ones that a successor has taken the place of, too. */
  private final Set<DialedSession> dialedAll = ConcurrentHashMap.newKeySet();

  private final Map<Id, AcceptedSession> accepted = new ConcurrentHashMap<>();
  private LocalSession local;
  private volatile boolean closing;

  Sessions(Node node, Gates gates, EventLoops loops, ChannelGroup connections) {
    this.connections = connections;
    this.node = node;
    this.gates = gates;
    this.loops = loops;
  }

  /** The session with a node, dialed if there is none that takes channels. */
  DialedSession to(InetSocketAddress address) {
    DialedSession session = dialed.get(address);
    if (session != null && session.takesChannels()) {
      return session;
    }
    DialedSession fresh = new DialedSession(node, gates, loops, connections, address, this::forget);
    synchronized (this) {
      session = dialed.get(address);
      if (session != null && session.takesChannels()) {
        return session;
      }
      if (closing) {
        throw new TransportException(ErrorCode.SHUTTING_DOWN, "the transport is closed");
      }
      dialed.put(address, fresh);
      dialedAll.add(fresh);
    }
    fresh.start();
    return fresh;
  }

  /** The session of this node with itself. */
  LocalSession local() {
    LocalSession fresh;
    synchronized (this) {
      if (local != null && local.takesChannels()) {
        return local;
      }
      if (closing) {
        throw new TransportException(ErrorCode.SHUTTING_DOWN, "the transport is closed");
      }
      fresh = new LocalSession(node, gates, loops, this::forgetLocal);
      local = fresh;
    }
    fresh.start();
    return fresh;
  }

  private synchronized void forgetLocal(LocalSession over) {
    if (local == over) {
      local = null;
    }
  }

  private void forget(DialedSession over) {
    dialed.remove(over.address(), over);
    dialedAll.remove(over);
  }

  /** Gives a trusted connection to its session. */
  boolean take(Connection connection, Trust trust) {
    Id id = new Id(trust.session().idHigh(), trust.session().idLow());
    AcceptedSession session;
    synchronized (this) {
      if (closing) {
        return false;
      }
      session = accepted.get(id);
      if (session == null && !trust.resumed()) {
        session =
            new AcceptedSession(
                node, gates, loops, connection.peer(), trust, over -> accepted.remove(id, over));
        accepted.put(id, session);
      }
    }
    return session != null && session.take(connection, trust);
  }

  @Override
  public Optional<KnownSession> find(long idHigh, long idLow) {
    return Optional.ofNullable(accepted.get(new Id(idHigh, idLow))).map(NettySession::known);
  }

  @Override
  public long highestEpoch(long idHigh, long idLow, int lane) {
    AcceptedSession session = accepted.get(new Id(idHigh, idLow));
    return session == null ? NO_EPOCH : session.highestEpoch(lane);
  }

  List<NettySession> all() {
    List<NettySession> all = new ArrayList<>(dialedAll);
    all.addAll(accepted.values());
    synchronized (this) {
      if (local != null) {
        all.add(local);
      }
    }
    return all;
  }

  /** Takes no new sessions and drains those there are; completed when all are over. */
  CompletableFuture<Void> drain() {
    synchronized (this) {
      closing = true;
    }
    List<NettySession> all = all();
    all.forEach(NettySession::drain);
    return CompletableFuture.allOf(
        all.stream().map(NettySession::over).toArray(CompletableFuture[]::new));
  }

  /** Ends all that are left. */
  CompletableFuture<Void> close(ErrorCode code, String text) {
    List<NettySession> all = all();
    all.forEach(session -> session.close(code, text));
    return CompletableFuture.allOf(
        all.stream().map(NettySession::over).toArray(CompletableFuture[]::new));
  }

  static String name(SocketAddress peer, KnownSession known) {
    return known == null ? peer.toString() : known.peer().name() + "@" + peer;
  }
}
