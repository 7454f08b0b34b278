package dev.penstock.transport.architecture.planted.api;

import dev.penstock.transport.netty.planted.Shell;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class ShellUser {
  final Shell shell = new Shell();
}
