/** Raw Netty: what its channels carry when nothing but length prefixes is put on top. */
package dev.penstock.benchmarks.netty;
