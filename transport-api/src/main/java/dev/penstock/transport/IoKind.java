package dev.penstock.transport;

/** How sockets are driven. */
public enum IoKind {
  /** Epoll where its native library is there, else NIO. */
  AUTO,
  /** Linux epoll; fails to open where it is not there. */
  EPOLL,
  /** Linux io_uring; fails to open where it is not there. */
  IO_URING,
  /** Java NIO, everywhere. */
  NIO
}
