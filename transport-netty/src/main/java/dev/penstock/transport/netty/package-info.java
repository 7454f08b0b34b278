/** The transport over Netty sockets and event loops. */
package dev.penstock.transport.netty;
