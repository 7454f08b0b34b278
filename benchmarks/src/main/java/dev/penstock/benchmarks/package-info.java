/** Benchmarks of Penstock and of its peers. */
package dev.penstock.benchmarks;
