/**
 * A deterministic simulator of the protocol: several nodes on virtual time, real encoded bytes over
 * pipes that split, stall, damage and break, and applications of every temper. One seed is one run.
 */
package dev.penstock.transport.testkit.sim;
