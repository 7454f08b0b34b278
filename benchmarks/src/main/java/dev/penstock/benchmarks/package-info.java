/**
 * Side-by-side measurement: the workloads, the code that makes and takes records for every system
 * alike, and the small interface through which a system takes part.
 *
 * <p>A system implements {@link dev.penstock.benchmarks.MessageSystem} and moves bytes; everything
 * else (which records are sent, to whom, when, what is checked and how it is timed) is the same
 * code for all of them.
 */
package dev.penstock.benchmarks;
