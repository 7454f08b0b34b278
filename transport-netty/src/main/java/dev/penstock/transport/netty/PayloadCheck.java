package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Record;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Checks payloads before a message is handed out. Not thread safe. */
final class PayloadCheck {
  private final CRC32C crc32c = new CRC32C();

  /**
   * Compares a payload with its checksum.
   *
   * @param view any view of the memory; it is moved
   * @param offset first byte
   * @param limit behind the last byte
   * @param expected what the frame says
   * @param position the payload's position, for the message
   * @return null if they agree
   */
  InboundFault crc(ByteBuffer view, int offset, int limit, int expected, long position) {
    crc32c.reset();
    crc32c.update(view.limit(limit).position(offset));
    int actual = (int) crc32c.getValue();
    if (actual == expected) {
      return null;
    }
    return new InboundFault(
        ErrorCode.CHECKSUM_MISMATCH,
        String.format(
            "payload of %d bytes at position %d: expected CRC32C %08x, got %08x; it was damaged on the way or in memory",
            limit - offset, position, expected, actual),
        null);
  }

  /**
   * Walks the heads of a payload of whole records.
   *
   * @param root the memory
   * @param offset first byte
   * @param limit behind the last byte
   * @param messages how many there should be
   * @param maxLength the longest message allowed
   * @return null if it is well-formed
   */
  static InboundFault records(ByteBuffer root, int offset, int limit, int messages, int maxLength) {
    int found = 0;
    int index = offset;
    while (index < limit) {
      InboundFault fault = head(root, index, limit, maxLength);
      if (fault != null) {
        return fault;
      }
      index += Record.HEAD_BYTES + Record.length(headAt(root, index));
      found++;
    }
    return found == messages ? null : count(messages, found);
  }

  /**
   * The head at an index, whatever the buffer's byte order is set to by others: it is big-endian
   * and stays so.
   */
  static int headAt(ByteBuffer root, int index) {
    return Integer.reverseBytes(root.getInt(index));
  }

  /**
   * Checks one head of a payload of whole records.
   *
   * @return null if the record lies within the payload
   */
  static InboundFault head(ByteBuffer root, int index, int limit, int maxLength) {
    if (limit - index < Record.HEAD_BYTES) {
      return violation(
          "a record's head needs "
              + Record.HEAD_BYTES
              + " bytes, the payload has "
              + (limit - index));
    }
    int head = headAt(root, index);
    if (Record.kind(head) > Record.EVENT) {
      return violation("a record of kind " + Record.kind(head) + ", known are 0 and 1");
    }
    int length = Record.length(head);
    if (length > limit - index - Record.HEAD_BYTES) {
      return violation(
          "a record of "
              + length
              + " bytes, the payload has "
              + (limit - index - Record.HEAD_BYTES)
              + " left");
    }
    return length > maxLength ? tooLarge(length, maxLength) : null;
  }

  static InboundFault count(int expected, int found) {
    return violation("a payload announced " + expected + " messages and has " + found);
  }

  static InboundFault tooLarge(long length, long maxLength) {
    return new InboundFault(
        ErrorCode.MESSAGE_TOO_LARGE,
        "a message of "
            + length
            + " bytes, allowed are "
            + maxLength
            + ": raise the maximum message length on the receiver, or send smaller messages",
        null);
  }

  static InboundFault tooLargeToAssemble(long length, long budget) {
    return new InboundFault(
        ErrorCode.MESSAGE_TOO_LARGE,
        "a message of "
            + length
            + " bytes cannot be assembled within a budget of "
            + budget
            + ": raise the assembly budget, or take large messages in pieces",
        null);
  }

  static InboundFault noMemory(long length, OutOfMemoryError cause) {
    return new InboundFault(
        ErrorCode.RESOURCE_EXHAUSTED,
        "no direct memory for "
            + length
            + " bytes ("
            + cause.getMessage()
            + "): raise -XX:MaxDirectMemorySize, or lower budgets and allowances",
        cause);
  }

  static InboundFault violation(String text) {
    return new InboundFault(ErrorCode.PROTOCOL_VIOLATION, text, null);
  }
}
