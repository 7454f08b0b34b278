/** The frames and the codecs that turn them into bytes. Not for applications. */
package dev.penstock.transport.wire;
