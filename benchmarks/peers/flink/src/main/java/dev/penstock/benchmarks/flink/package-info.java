/** Flink's network stack as a peer. */
package dev.penstock.benchmarks.flink;
