/** Aeron over UDP and shared memory as a peer. */
package dev.penstock.benchmarks.aeron;
