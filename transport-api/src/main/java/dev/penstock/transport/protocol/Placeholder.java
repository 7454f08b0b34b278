package dev.penstock.transport.protocol;

/** Keeps the package exportable until its first type lands; delete it then. */
final class Placeholder {
  private Placeholder() {}
}
