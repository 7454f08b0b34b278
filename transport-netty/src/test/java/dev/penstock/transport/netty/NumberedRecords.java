package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.wire.Record;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * The records of one channel, the same for whoever knows the seed: one side writes them, the other
 * checks them.
 */
final class NumberedRecords {
  private final SplittableRandom random;
  private final int small;
  private final int large;

  /** Bytes of the record that is being received. */
  private final ByteBuffer partial;

  private long sequence;

  NumberedRecords(long seed, int small, int large) {
    random = new SplittableRandom(seed);
    this.small = small;
    this.large = large;
    partial = ByteBuffer.allocate(Record.HEAD_BYTES + large).order(ByteOrder.LITTLE_ENDIAN);
  }

  long sequence() {
    return sequence;
  }

  /** The next record's body. */
  byte[] next() {
    byte[] body =
        new byte[random.nextInt(50) == 0 ? random.nextInt(large + 1) : random.nextInt(small)];
    for (int i = 0; i < body.length; i++) {
      body[i] = (byte) (sequence * 31 + i);
    }
    sequence++;
    return body;
  }

  /** Checks received bytes, in any pieces. */
  void receive(byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      if (partial.position() < Record.HEAD_BYTES) {
        partial.put(bytes[at++]);
      } else {
        int missing = Record.HEAD_BYTES + Record.length(partial.getInt(0)) - partial.position();
        int part = Math.min(missing, bytes.length - at);
        partial.put(bytes, at, part);
        at += part;
      }
      takeWhole();
    }
  }

  private void takeWhole() {
    if (partial.position() >= Record.HEAD_BYTES
        && partial.position() == Record.HEAD_BYTES + Record.length(partial.getInt(0))) {
      long number = sequence;
      byte[] expected = next();
      byte[] body = new byte[partial.position() - Record.HEAD_BYTES];
      partial.get(Record.HEAD_BYTES, body);
      assertThat(body).as("record %d", number).isEqualTo(expected);
      partial.clear();
    }
  }
}
