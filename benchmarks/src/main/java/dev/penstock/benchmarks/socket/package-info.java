/** The anchor: what two threads and a blocking socket of the JDK can do. */
package dev.penstock.benchmarks.socket;
