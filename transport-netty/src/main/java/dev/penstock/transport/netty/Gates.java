package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.protocol.Admission;
import dev.penstock.transport.protocol.Binding;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.Rendezvous;
import dev.penstock.transport.wire.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A node's registered gate ends and the channels that wait for one: a {@link Rendezvous} under one
 * lock. Lanes and gates act on its answers outside the lock.
 */
final class Gates {
  /** A gate's end of one channel. */
  interface End {
    /**
     * What the core needs to make a channel; on the lane's loop. Until {@link #attached} or {@link
     * #unbound} follows, whoever gives the end up is only remembered.
     *
     * @return null if the end takes no channel: see {@link #refusal}
     */
    Binding bind(NettyLane lane);

    /** Why it takes no channel. */
    Ending refusal();

    /** The channel is there; on the lane's loop. */
    void attached(NettyLane lane, Flow flow);

    /** No channel came of it; on the lane's loop. */
    void unbound();

    /** A gate with a newer attempt, or of the same key, took the place. Any thread. */
    void fence(int newerAttempt);
  }

  /** Refuses a second channel of an end. */
  static final Ending OPEN_ALREADY = new Ending(ErrorCode.FENCED, "the channel is open already");

  private static final String ONE_SIDE =
      "only one side may name the other's address (addProducer with an address, or pushTo)";

  private record Waiting(NettyLane lane, int number) {}

  /** What an end of an attempt is told that another took the place of. */
  static String fencedBy(int newerAttempt, int attempt) {
    return newerAttempt == attempt
        ? "a gate with the same attempt, "
            + Integer.toUnsignedString(attempt)
            + ", was opened after it and took its place"
        : newerAttempt(newerAttempt);
  }

  private static String newerAttempt(int attempt) {
    return "attempt " + Integer.toUnsignedString(attempt) + " took its place";
  }

  private final Rendezvous<End, Waiting> rendezvous = new Rendezvous<>();

  /**
   * Ends that wait for the other end to open, by channel: two of one channel meet inside the node.
   */
  private final Map<ChannelKey, End> passiveSenders = new HashMap<>();

  private final Map<ChannelKey, End> passiveReceivers = new HashMap<>();
  private final Consumer<End> meet;

  /**
   * Creates one without gates.
   *
   * @param meet opens a channel inside the node from its receiving end; any thread
   */
  Gates(Consumer<End> meet) {
    this.meet = meet;
  }

  /**
   * Registers an end.
   *
   * @throws TransportException with FENCED if a newer attempt is registered
   */
  void register(Role role, ChannelKey key, End end, boolean opens) {
    Rendezvous.Registration<End, Waiting> registration;
    End receiver;
    synchronized (this) {
      registration = rendezvous.register(role, key, end, opens);
      receiver = opens || !isOpen(registration) ? null : pair(role, key, end);
    }
    if (registration instanceof Rendezvous.Registration.Fenced<End, Waiting> fenced) {
      throw new TransportException(
          ErrorCode.FENCED,
          key,
          "attempt "
              + Integer.toUnsignedString(fenced.newerAttempt())
              + " is registered, which is newer",
          null);
    }
    var registered = (Rendezvous.Registration.Registered<End, Waiting>) registration;
    registered.superseded().ifPresent(old -> old.fence(key.attempt()));
    refuse(registered.refused(), key.attempt());
    registered.answered().ifPresent(waiting -> answer(waiting, role, key, end));
    if (receiver != null) {
      meet.accept(receiver);
    }
  }

  /** Whether a registered end still waits for its channel. */
  private static boolean isOpen(Rendezvous.Registration<End, Waiting> registration) {
    return registration instanceof Rendezvous.Registration.Registered<End, Waiting> registered
        && registered.answered().isEmpty();
  }

  /** Returns the receiving end if both ends are here now. */
  private End pair(Role role, ChannelKey key, End end) {
    (role == Role.SENDER ? passiveSenders : passiveReceivers).put(key, end);
    if (!passiveSenders.containsKey(key) || !passiveReceivers.containsKey(key)) {
      return null;
    }
    passiveSenders.remove(key);
    return passiveReceivers.remove(key);
  }

  private void unpair(Role role, ChannelKey key, End end) {
    (role == Role.SENDER ? passiveSenders : passiveReceivers).remove(key, end);
  }

  private void answer(Waiting waiting, Role role, ChannelKey key, End end) {
    NettyLane lane = waiting.lane;
    lane.execute(
        () -> {
          Binding binding = end.bind(lane);
          if (binding == null) {
            Ending refusal = end.refusal();
            lane.core().refuse(waiting.number, refusal.code(), refusal.text());
          } else if (!lane.core()
              .answer(waiting.number, binding, flow -> end.attached(lane, flow))) {
            end.unbound(); // before another channel may have it
            release(role, key, end);
          }
        });
  }

  /** The channel that an end answered was gone: it waits again. */
  private void release(Role role, ChannelKey key, End end) {
    End receiver;
    synchronized (this) {
      receiver = rendezvous.release(role, key, end) ? pair(role, key, end) : null;
    }
    if (receiver != null) {
      meet.accept(receiver);
    }
  }

  private static void refuse(List<Waiting> waiting, int attempt) {
    for (Waiting refused : waiting) {
      refused.lane.execute(
          () ->
              refused
                  .lane
                  .core()
                  .refuse(
                      refused.number,
                      ErrorCode.FENCED,
                      newerAttempt(attempt) + ", or opens the channel itself: " + ONE_SIDE));
    }
  }

  synchronized void unregister(Role role, ChannelKey key, End end) {
    rendezvous.unregister(role, key, end);
    unpair(role, key, end);
  }

  Admission admit(NettyLane lane, int number, Role role, ChannelKey key) {
    Rendezvous.Opening<End, Waiting> opening;
    synchronized (this) {
      opening = rendezvous.open(role, key, new Waiting(lane, number));
      if (opening instanceof Rendezvous.Opening.Accepted<End, Waiting> accepted) {
        unpair(role, key, accepted.gate());
      }
    }
    if (opening instanceof Rendezvous.Opening.Accepted<End, Waiting> accepted) {
      End end = accepted.gate();
      Binding binding = end.bind(lane);
      if (binding == null) {
        return new Admission.Refuse(end.refusal().code(), end.refusal().text());
      }
      return new Admission.Accept(binding, flow -> end.attached(lane, flow));
    }
    if (opening instanceof Rendezvous.Opening.Waits<End, Waiting> waits) {
      refuse(waits.refused(), key.attempt());
      return Admission.WAIT;
    }
    var fenced = (Rendezvous.Opening.Fenced<End, Waiting>) opening;
    return new Admission.Refuse(
        ErrorCode.FENCED, refusal(fenced.registeredAttempt(), key.attempt()));
  }

  private static String refusal(int registered, int attempt) {
    String text = "attempt " + Integer.toUnsignedString(registered) + " of this channel is ";
    return registered == attempt
        ? text + "open already, or its own side opens it: " + ONE_SIDE
        : text + "registered";
  }

  synchronized void stoppedWaiting(NettyLane lane, int number, Role role, ChannelKey key) {
    rendezvous.stoppedWaiting(role, key, new Waiting(lane, number));
  }
}
