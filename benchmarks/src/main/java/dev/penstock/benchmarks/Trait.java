package dev.penstock.benchmarks;

/** What sets a workload apart from plain records over TCP. */
public enum Trait {
  /** Producers and consumers are in one node, so that no socket lies between them. */
  SAME_NODE,
  /** Connections are encrypted. */
  TLS,
  /** Payloads carry no checksum. */
  NO_CHECKSUM,
  /** Consumers are chosen by a Zipf distribution instead of by key. */
  ZIPF,
  /**
   * The throughput of consumer 0 does not count, and its records are dropped when it pushes back.
   */
  OTHERS_COUNT,
  /** Consumer 0 reads a hundred times slower than the others do on average. */
  SLOW_CONSUMER,
  /** The connections are cut once a second while measuring; the pauses count. */
  CUTS
}
