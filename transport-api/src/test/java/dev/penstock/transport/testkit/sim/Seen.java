package dev.penstock.transport.testkit.sim;

/** Where an end of a channel stands, as the tables of the specification call it. */
enum Seen {
  NOTHING,
  WAITING,
  REFUSED,
  SEND_OPENING,
  SEND_OPEN,
  SEND_FINISHING,
  SEND_ABORTING,
  RECEIVE_OPENING,
  RECEIVE_OPEN,
  RECEIVE_FINISHED,
  RECEIVE_RESETTING,
  DONE
}
