package dev.penstock.spark;

import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * A reading task as the control channel sees it: the channel's event loop sets, the task waits. The
 * lock is held for moments only.
 */
final class ReaderSession implements AutoCloseable {
  private final ExecutorNode node;
  private final long number;
  private final int partition;
  private final Map<Integer, Boolean> local = new HashMap<>();
  private InputGate gate;
  private GenerationKey key;
  private int maps = -1;
  private boolean complete;
  private boolean closed;
  private Message.GiveUp giveUp;
  private String lost;

  ReaderSession(ExecutorNode node, int partition) {
    this.node = node;
    this.number = node.nextReader();
    this.partition = partition;
  }

  Compression compression() {
    return node.compression();
  }

  long number() {
    return number;
  }

  synchronized void on(Message message) {
    if (closed) {
      return;
    }
    if (message instanceof Message.Opened m) {
      key = new GenerationKey(m.exchange(), m.attempt());
      maps = m.maps();
      if (maps > 0) {
        long bytes = node.settings().readerBytes();
        gate =
            node.transport()
                .openInput(
                    InputGateOptions.builder(m.exchange(), partition)
                        .attempt(m.attempt())
                        .budget(node.transport().createBudget(bytes, maps))
                        .build());
        gate.announceProducers(maps);
      }
    } else if (message instanceof Message.WriterAt m) {
      local.put(m.map(), node.isHere(m.host(), m.port()));
      gate.addProducer(m.map(), new InetSocketAddress(m.host(), m.port()));
    } else if (message instanceof Message.Complete) {
      complete = true;
    } else if (message instanceof Message.GiveUp m && giveUp == null) {
      giveUp = m;
    }
    notifyAll();
  }

  /** The driver can tell nothing any more. */
  synchronized void lose(String reason) {
    lost = reason;
    notifyAll();
  }

  synchronized String lost() {
    return lost;
  }

  /** Waits a moment for anything to change; callers look again whatever woke them. */
  @SuppressWarnings("WaitNotInLoop")
  synchronized void await(long millis) throws InterruptedException {
    if (giveUp == null && lost == null && !complete) {
      wait(millis);
    }
  }

  synchronized Message.GiveUp giveUp() {
    return giveUp;
  }

  synchronized boolean opened() {
    return maps >= 0;
  }

  synchronized int maps() {
    return maps;
  }

  synchronized GenerationKey key() {
    return key;
  }

  synchronized InputGate gate() {
    return gate;
  }

  synchronized boolean complete() {
    return complete;
  }

  synchronized boolean isLocal(int map) {
    return local.getOrDefault(map, false);
  }

  @Override
  public void close() {
    node.remove(this);
    InputGate open;
    synchronized (this) {
      closed = true;
      open = gate;
    }
    if (open != null) {
      open.close();
    }
  }
}
