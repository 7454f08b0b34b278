/** The protocol as machines without I/O, threads or clocks. Not for applications. */
package dev.penstock.transport.protocol;
