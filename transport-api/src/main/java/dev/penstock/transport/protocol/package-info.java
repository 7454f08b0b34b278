/**
 * The protocol as small state machines without I/O: events and the time go in, frames and
 * notifications come out, the next deadline is a value. No thread, lock, clock or randomness, and
 * no allocation per frame.
 */
package dev.penstock.transport.protocol;
