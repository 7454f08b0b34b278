package dev.penstock.benchmarks.netty;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;

/** Netty's ways of doing I/O. */
enum LoopKind {
  NIO(NioServerSocketChannel.class, NioSocketChannel.class) {
    @Override
    IoHandlerFactory newFactory() {
      return NioIoHandler.newFactory();
    }
  },
  EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class) {
    @Override
    IoHandlerFactory newFactory() {
      return EpollIoHandler.newFactory();
    }
  },
  IO_URING(IoUringServerSocketChannel.class, IoUringSocketChannel.class) {
    @Override
    IoHandlerFactory newFactory() {
      return IoUringIoHandler.newFactory();
    }
  };

  private final Class<? extends ServerSocketChannel> serverType;
  private final Class<? extends SocketChannel> type;

  LoopKind(Class<? extends ServerSocketChannel> serverType, Class<? extends SocketChannel> type) {
    this.serverType = serverType;
    this.type = type;
  }

  abstract IoHandlerFactory newFactory();

  Class<? extends ServerSocketChannel> serverType() {
    return serverType;
  }

  Class<? extends SocketChannel> type() {
    return type;
  }
}
