/**
 * Runs cases of all systems side by side, each in a fresh JVM, and sums them up.
 *
 * <p>Speed drifts on a shared machine, so the figure that counts is the ratio to the anchor (a
 * blocking socket of the JDK) run just before and just after.
 */
package dev.penstock.benchmarks.runner;
