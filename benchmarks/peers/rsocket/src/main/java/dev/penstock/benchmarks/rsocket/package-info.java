/** RSocket streams as a peer. */
package dev.penstock.benchmarks.rsocket;
