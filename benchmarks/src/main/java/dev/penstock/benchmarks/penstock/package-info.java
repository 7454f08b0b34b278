/** Penstock itself, through its public API. */
package dev.penstock.benchmarks.penstock;
