/** JMH benchmarks of single pieces: one question each, with a baseline beside it. */
package dev.penstock.benchmarks.jmh;
