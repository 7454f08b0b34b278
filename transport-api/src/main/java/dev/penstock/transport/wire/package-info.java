/**
 * What frames mean, independent of how a codec lays them out. Pure: no I/O, threads, clocks or
 * locks.
 */
package dev.penstock.transport.wire;
