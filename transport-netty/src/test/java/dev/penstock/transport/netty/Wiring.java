package dev.penstock.transport.netty;

import dev.penstock.transport.IoKind;
import dev.penstock.transport.TransportOptions;
import io.netty.channel.uring.IoUring;
import java.util.Arrays;
import java.util.stream.Stream;

/** The ways in which the transport contract is put to the test. */
enum Wiring {
  /** As it comes, over NIO. */
  SBE_NIO("sbe", IoKind.NIO, false),
  /** The way that Linux takes by default. */
  SBE_EPOLL("sbe", IoKind.EPOLL, false),
  /** Another codec. */
  TEXT_NIO("plain-text", IoKind.NIO, false),
  /** TLS in between. */
  TEXT_EPOLL_TLS("plain-text", IoKind.EPOLL, true),
  /** TLS in between. */
  SBE_NIO_TLS("sbe", IoKind.NIO, true),
  /** Where the kernel allows it. */
  SBE_IO_URING("sbe", IoKind.IO_URING, false);

  private final String codec;
  private final IoKind io;
  private final boolean tls;

  Wiring(String codec, IoKind io, boolean tls) {
    this.codec = codec;
    this.io = io;
    this.tls = tls;
  }

  /** Those that this machine can do. */
  static Stream<Wiring> available() {
    return Arrays.stream(values())
        .filter(wiring -> wiring.io != IoKind.IO_URING || IoUring.isAvailable());
  }

  TransportOptions.Builder options() {
    TransportOptions.Builder options = TransportOptions.builder().codec(codec).ioKind(io);
    return tls ? options.tls(Certificates.trusted().options(false)) : options;
  }
}
