/** How a transport implementation is found. */
package dev.penstock.transport.spi;
