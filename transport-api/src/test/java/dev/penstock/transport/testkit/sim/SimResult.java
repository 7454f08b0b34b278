package dev.penstock.transport.testkit.sim;

import java.util.List;

/**
 * What a run came to.
 *
 * @param seed the run's seed
 * @param hash of everything that happened
 * @param events how many things happened
 * @param failure what does not hold, or null
 * @param coverage what was exercised
 * @param tail the last lines of the trace, if it was recorded
 */
public record SimResult(
    long seed, long hash, long events, Throwable failure, Coverage coverage, List<String> tail) {}
