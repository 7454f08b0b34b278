/**
 * A toy stream engine, three sources and two sinks in JVMs of their own, that shows barriers: once
 * a second every source writes an event into all its channels, and a sink closes an epoch when the
 * event has come from every source. {@link dev.penstock.examples.engine.ToyEngine} starts the
 * others and checks.
 */
package dev.penstock.examples.engine;
