package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;

/**
 * What went wrong with a channel on the receiving side: the channel has to be reset with it.
 *
 * @param code why
 * @param text what was expected, what came, what to do
 * @param cause what the handler on the event loop, or the allocator, threw; or null
 */
record InboundFault(ErrorCode code, String text, Throwable cause) {}
