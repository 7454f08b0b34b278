package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.IoKind;
import dev.penstock.transport.TransportException;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import io.netty.util.concurrent.ThreadProperties;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a transport, and the kind of sockets that they drive. */
final class EventLoops {
  private static final long QUIET_NANOS = 0;
  private static final long SHUTDOWN_SECONDS = 10;

  /** The loops of connections that were dialed in this JVM, by their own address. */
  private static final Map<SocketAddress, EventLoop> DIALED = new ConcurrentHashMap<>();

  private final MultiThreadIoEventLoopGroup group;
  private final List<EventLoop> loops = new ArrayList<>();
  private final Set<Future<?>> scheduled = ConcurrentHashMap.newKeySet();
  private final AtomicInteger places = new AtomicInteger();

  /** Null when the threads are the transport's own. */
  private final SharedLoops shared;

  private final PooledByteBufAllocator allocator;
  private final Class<? extends Channel> socket;
  private final Class<? extends ServerChannel> serverSocket;
  private final IoKind kind;

  /**
   * Starts them.
   *
   * @param wanted how sockets are driven
   * @param threads how many loops of its own; 0 for those that the JVM shares
   * @param name for threads of its own
   * @throws TransportException if this machine cannot do what is wanted
   */
  EventLoops(IoKind wanted, int threads, String name) {
    IoHandlerFactory io;
    switch (wanted) {
      case EPOLL, AUTO -> {
        if (Epoll.isAvailable()) {
          kind = IoKind.EPOLL;
          io = EpollIoHandler.newFactory();
          socket = EpollSocketChannel.class;
          serverSocket = EpollServerSocketChannel.class;
        } else {
          check(wanted, Epoll.unavailabilityCause());
          kind = IoKind.NIO;
          io = NioIoHandler.newFactory();
          socket = NioSocketChannel.class;
          serverSocket = NioServerSocketChannel.class;
        }
      }
      case IO_URING -> {
        check(wanted, IoUring.unavailabilityCause());
        kind = IoKind.IO_URING;
        io = IoUringIoHandler.newFactory();
        socket = IoUringSocketChannel.class;
        serverSocket = IoUringServerSocketChannel.class;
      }
      default -> {
        kind = IoKind.NIO;
        io = NioIoHandler.newFactory();
        socket = NioSocketChannel.class;
        serverSocket = NioServerSocketChannel.class;
      }
    }
    if (threads == 0) {
      shared = SharedLoops.acquire(kind, io);
      group = shared.group();
      allocator = shared.allocator();
    } else {
      shared = null;
      group = start(threads, name, io);
      allocator = Allocators.acquire(threads);
    }
    for (EventExecutor executor : group) {
      loops.add((EventLoop) executor);
    }
  }

  private static void check(IoKind wanted, Throwable cause) {
    if (wanted != IoKind.AUTO && cause != null) {
      throw new TransportException(
          ErrorCode.RESOURCE_EXHAUSTED,
          null,
          wanted
              + " is not available here: put its native library on the class path, or set ioKind"
              + " to AUTO",
          cause);
    }
  }

  /** A loop by number; any number will do. */
  EventLoop loop(int number) {
    return loops.get(Math.floorMod(number, loops.size()));
  }

  /** The loop number for the first lane of a session; the next session begins one further. */
  int nextPlace() {
    return places.getAndIncrement();
  }

  /** A connection was dialed. On its loop, before its first byte leaves. */
  void dialed(Channel channel) {
    SocketAddress own = channel.localAddress();
    EventLoop loop = channel.eventLoop();
    DIALED.put(own, loop);
    var unused = channel.closeFuture().addListener(closed -> DIALED.remove(own, loop));
  }

  /**
   * The loop for a connection that was accepted: that of its other end if that is one of these, so
   * that what one end writes the other reads from the same core's cache. With io_uring it stays
   * where it is: a channel that moves can break Netty's event loop.
   */
  EventLoop besideOtherEnd(Channel accepted) {
    SocketAddress peer = accepted.remoteAddress();
    EventLoop other = peer == null || kind == IoKind.IO_URING ? null : DIALED.get(peer);
    return other != null && loops.contains(other) ? other : accepted.eventLoop();
  }

  List<EventLoop> loops() {
    return loops;
  }

  MultiThreadIoEventLoopGroup group() {
    return group;
  }

  Class<? extends Channel> socket() {
    return socket;
  }

  Class<? extends ServerChannel> serverSocket() {
    return serverSocket;
  }

  IoKind kind() {
    return kind;
  }

  /** For all buffers of the transport. */
  PooledByteBufAllocator allocator() {
    return allocator;
  }

  /** Runs something on a loop once, unless {@link #shutdown} comes first. */
  void at(long nanoTime, Runnable task) {
    long delay = Math.max(0, nanoTime - System.nanoTime());
    keep(loop(0).schedule(task, delay, TimeUnit.NANOSECONDS));
  }

  /** Runs something on a loop again and again until {@link #shutdown}. */
  void every(long seconds, Runnable task) {
    keep(loop(0).scheduleWithFixedDelay(task, seconds, seconds, TimeUnit.SECONDS));
  }

  private void keep(Future<?> future) {
    scheduled.add(future);
    var unused = future.addListener(scheduled::remove);
  }

  /** Whether a thread has ended before it was told to: an Error below the handlers does that. */
  boolean isBroken() {
    return isBroken(group);
  }

  static boolean isBroken(MultiThreadIoEventLoopGroup group) {
    for (EventExecutor loop : group) {
      if (loop.isShuttingDown()) {
        return true;
      }
    }
    return false;
  }

  /** Returns when each loop has done what it had to do so far, or after a while. */
  void awaitTurn(long seconds) {
    for (EventLoop loop : loops) {
      try {
        loop.submit(() -> {}).awaitUninterruptibly(seconds, TimeUnit.SECONDS);
      } catch (RejectedExecutionException e) {
        Log.LOG.debug("nothing to wait for: the loop has ended", e);
      }
    }
  }

  /** What the threads that have not ended are doing, for a log. */
  String whereTheyAre() {
    StringBuilder places = new StringBuilder();
    for (EventLoop loop : loops) {
      if (!loop.isTerminated() && loop instanceof SingleThreadEventExecutor executor) {
        ThreadProperties thread = executor.threadProperties();
        places.append(thread.name()).append(" at ").append(List.of(thread.stackTrace()));
      }
    }
    return places.toString();
  }

  /** Lets go of the threads; they stop unless others use them. Returns a future. */
  Future<?> shutdown() {
    scheduled.forEach(future -> future.cancel(false));
    if (shared != null) {
      return shared.release();
    }
    Future<?> stopped = stop(group);
    Allocators.giveBack(allocator);
    return stopped;
  }

  static MultiThreadIoEventLoopGroup start(int threads, String name, IoHandlerFactory io) {
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory("penstock-" + name, true), io);
  }

  static Future<?> stop(MultiThreadIoEventLoopGroup group) {
    return group.shutdownGracefully(QUIET_NANOS, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
  }
}
