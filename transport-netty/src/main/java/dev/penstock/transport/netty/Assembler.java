package dev.penstock.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The budget for large messages that are put together before they are handed out. A message
 * reserves its whole length before its first piece is taken, and messages wait in the order in
 * which they came: what is granted is enough to finish, so nobody waits for memory that a
 * half-assembled message holds.
 *
 * <p>Shared by the gates that are given it; thread safe. Asked once per large message.
 */
final class Assembler {
  private final ByteBufAllocator allocator;
  private final long budget;
  private final Queue<InboundChannel> waiting = new ArrayDeque<>();
  private long reserved;

  /**
   * Creates one.
   *
   * @param allocator for the buffers
   * @param budget bytes for all messages that are being put together or handed out
   */
  Assembler(ByteBufAllocator allocator, long budget) {
    this.allocator = allocator;
    this.budget = budget;
  }

  /** Longest message that can ever be assembled. */
  long budget() {
    return budget;
  }

  synchronized long reserved() {
    return reserved;
  }

  synchronized int waiting() {
    return waiting.size();
  }

  /**
   * Reserves memory for a channel's message, or puts the channel in the queue; it is scheduled when
   * it has been granted. With the channel's claim.
   *
   * @return whether it was granted, now or before
   */
  boolean reserve(InboundChannel channel, int length) {
    RecordPosition walk = channel.walk;
    List<InboundChannel> granted;
    synchronized (this) {
      if (walk.reserved == 0) {
        walk.reserved = ReceiveMemory.allocatedSize(length);
        waiting.add(channel);
      }
      granted = grant();
    }
    granted.forEach(InboundChannel::schedule);
    return granted(channel);
  }

  /** Whether a reservation that had to wait has been granted. */
  synchronized boolean granted(InboundChannel channel) {
    return channel.walk.granted;
  }

  ByteBuf allocate(int length) {
    return allocator.directBuffer(length, length);
  }

  /** Gives a reservation back, or takes the channel out of the queue. With the channel's claim. */
  void release(InboundChannel channel) {
    RecordPosition walk = channel.walk;
    List<InboundChannel> granted;
    synchronized (this) {
      if (walk.reserved == 0) {
        return;
      }
      if (walk.granted) {
        reserved -= walk.reserved;
      } else {
        waiting.remove(channel);
      }
      walk.reserved = 0;
      walk.granted = false;
      granted = grant();
    }
    granted.forEach(InboundChannel::schedule);
  }

  /**
   * Grants what the budget has room for, in order. Those granted are scheduled outside the lock:
   * consumers may run.
   */
  private List<InboundChannel> grant() {
    List<InboundChannel> granted = new ArrayList<>();
    while (!waiting.isEmpty() && reserved + waiting.element().walk.reserved <= budget) {
      InboundChannel channel = waiting.remove();
      reserved += channel.walk.reserved;
      channel.walk.granted = true;
      granted.add(channel);
    }
    return granted;
  }
}
