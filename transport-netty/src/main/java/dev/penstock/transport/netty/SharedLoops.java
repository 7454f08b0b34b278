package dev.penstock.transport.netty;

import dev.penstock.transport.IoKind;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

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

  private final MultiThreadIoEventLoopGroup group;
  private int users;

  private SharedLoops(MultiThreadIoEventLoopGroup group) {
    this.group = group;
  }

  /** The group of a kind, for one more user. */
  static MultiThreadIoEventLoopGroup acquire(IoKind kind, Supplier<IoHandlerFactory> io) {
    synchronized (IN_USE) {
      SharedLoops loops =
          IN_USE.computeIfAbsent(kind, absent -> new SharedLoops(start(THREADS, "shared", io)));
      loops.users++;
      return loops.group;
    }
  }

  static MultiThreadIoEventLoopGroup start(
      int threads, String name, Supplier<IoHandlerFactory> io) {
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory("penstock-" + name, true), io.get());
  }

  /** One user less. Completed at once unless it was the last: then when the threads have ended. */
  static Future<?> release(IoKind kind) {
    synchronized (IN_USE) {
      SharedLoops loops = IN_USE.get(kind);
      if (--loops.users > 0) {
        return loops.group.next().newSucceededFuture(null);
      }
      IN_USE.remove(kind);
      return EventLoops.stop(loops.group);
    }
  }
}
