package dev.penstock.transport.netty;

import dev.penstock.transport.IoKind;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.EnumMap;
import java.util.Map;

/**
 * The event loops that the transports of a JVM have in common unless they ask for their own.
 * Started by the first transport of a kind, stopped when the last one is closed. Sharing keeps both
 * ends of a connection inside one JVM, and sending and receiving altogether, on as few cores as
 * need be.
 *
 * <p>Thread safe.
 */
final class SharedLoops {
  static final int THREADS = Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));

  private static final Map<IoKind, SharedLoops> IN_USE = new EnumMap<>(IoKind.class);

  private final IoKind kind;
  private final MultiThreadIoEventLoopGroup group;

  /**
   * Theirs, too: a thread keeps something of each allocator that it ever used until it ends, so the
   * allocators of transports that come and go would pile up in threads that stay.
   */
  private final PooledByteBufAllocator allocator = Allocators.acquire(THREADS);

  private int users;

  private SharedLoops(IoKind kind, MultiThreadIoEventLoopGroup group) {
    this.kind = kind;
    this.group = group;
  }

  /** The loops of a kind, for one more user. */
  static SharedLoops acquire(IoKind kind, IoHandlerFactory io) {
    synchronized (IN_USE) {
      SharedLoops loops = IN_USE.get(kind);
      if (loops == null || EventLoops.isBroken(loops.group)) {
        loops = new SharedLoops(kind, EventLoops.start(THREADS, "shared", io));
        IN_USE.put(kind, loops);
      }
      loops.users++;
      return loops;
    }
  }

  MultiThreadIoEventLoopGroup group() {
    return group;
  }

  PooledByteBufAllocator allocator() {
    return allocator;
  }

  /** One user less. Completed at once unless it was the last: then when the threads have ended. */
  Future<?> release() {
    synchronized (IN_USE) {
      if (--users > 0) {
        return ImmediateEventExecutor.INSTANCE.newSucceededFuture(null);
      }
      IN_USE.remove(kind, this);
    }
    Future<?> stopped = EventLoops.stop(group);
    Allocators.giveBack(allocator);
    return stopped;
  }
}
