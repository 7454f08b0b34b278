package dev.penstock.transport.architecture.planted.protocol;

import java.util.concurrent.locks.ReentrantLock;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class LockHolder {
  final ReentrantLock lock = new ReentrantLock();
}
