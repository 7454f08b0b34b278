/** Spark's network-common as a peer. */
package dev.penstock.benchmarks.spark;
