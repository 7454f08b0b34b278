package dev.penstock.transport.wire;

/** Keeps the package exportable until its first type lands; delete it then. */
final class Placeholder {
  private Placeholder() {}
}
