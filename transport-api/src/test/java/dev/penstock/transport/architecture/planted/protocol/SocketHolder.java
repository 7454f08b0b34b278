package dev.penstock.transport.architecture.planted.protocol;

import java.net.InetSocketAddress;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class SocketHolder {
  final InetSocketAddress peer = InetSocketAddress.createUnresolved("peer", 1);
}
