package dev.penstock.transport.testkit.sim;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Virtual time: what happens when. Things of one instant happen in the order they were asked for.
 */
final class Agenda {
  /** Something that can be paused or be gone when its event's time comes. */
  interface Host {
    boolean isAlive();

    /** Until when nothing of it happens; a time in the past if it runs. */
    long pausedUntil();
  }

  private record Event(long time, long order, Host host, Runnable action) {}

  /** The network between nodes. */
  static final Host NETWORK =
      new Host() {
        @Override
        public boolean isAlive() {
          return true;
        }

        @Override
        public long pausedUntil() {
          return -1;
        }
      };

  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::order));
  private long now;
  private long order;
  private Host lastHost;

  long now() {
    return now;
  }

  void at(long time, Host host, Runnable action) {
    queue.add(new Event(Math.max(now, time), order++, host, action));
  }

  void after(long delay, Host host, Runnable action) {
    at(now + delay, host, action);
  }

  /** Runs the next event if it comes before a time; returns whether it did. */
  boolean next(long before) {
    Event event = queue.peek();
    if (event == null || event.time() >= before) {
      return false;
    }
    queue.poll();
    now = event.time();
    Host host = event.host();
    lastHost = host;
    if (host != null && host.isAlive() && host.pausedUntil() > now) {
      queue.add(new Event(host.pausedUntil(), event.order(), host, event.action()));
    } else if (host == null || host.isAlive()) {
      event.action().run();
    }
    return true;
  }

  /** Whose event the last one was; null when it was the world's. */
  Host lastHost() {
    return lastHost;
  }

  void advance(long time) {
    now = Math.max(now, time);
  }
}
