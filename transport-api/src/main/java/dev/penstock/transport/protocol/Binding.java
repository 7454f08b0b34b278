package dev.penstock.transport.protocol;

/** What a gate gives the core for one channel. */
public sealed interface Binding {
  /**
   * For the sending end.
   *
   * @param source where the records lie
   * @param listener the gate
   */
  record Send(RecordSource source, SendListener listener) implements Binding {}

  /**
   * For the receiving end.
   *
   * @param credit the channel's share of a budget, registered
   * @param listener the gate
   */
  record Receive(CreditShare credit, ReceiveListener listener) implements Binding {}
}
