package dev.penstock.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordParserTest {
  private final List<String> seen = new ArrayList<>();
  private final RecordParser parser =
      new RecordParser(
          new RecordSink() {
            @Override
            public void accept(int length, long head) {
              seen.add(length + ":" + head);
            }
          });

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 11, 12, 13, 50, 104, 105, 1000})
  void shouldSeeTheSameRecordsHoweverTheBytesAreCut(int pieceSize) {
    ByteBuffer all = records(8, 100, 8, 9, 300, 100);

    for (int at = 0; at < all.limit(); at += pieceSize) {
      parser.parse(all.slice(at, Math.min(pieceSize, all.limit() - at)));
    }

    assertEquals(List.of("8:0", "100:1", "8:2", "9:3", "300:4", "100:5"), seen);
    assertTrue(parser.atBoundary());
  }

  @Test
  void shouldConsumeWholeBuffersAtAnyOffset() {
    ByteBuffer all = records(100, 100);
    ByteBuffer shifted = ByteBuffer.allocateDirect(all.limit() + 10).position(10).put(all);
    shifted.flip().position(10);

    parser.parse(shifted);

    assertFalse(shifted.hasRemaining());
    assertEquals(List.of("100:0", "100:1"), seen);
  }

  @Test
  void shouldTellWhenARecordIsIncomplete() {
    parser.parse(records(100).limit(60));
    assertFalse(parser.atBoundary(), "inside the body");

    parser.parse(ByteBuffer.allocate(44));
    assertTrue(parser.atBoundary(), "after the body");

    parser.parse(ByteBuffer.allocate(3));
    assertFalse(parser.atBoundary(), "inside the length");
  }

  private static ByteBuffer records(int... sizes) {
    ByteBuffer all = ByteBuffer.allocate(2000);
    for (int i = 0; i < sizes.length; i++) {
      all.putInt(sizes[i]).putLong(i).put(new byte[sizes[i] - Long.BYTES]);
    }
    return all.flip();
  }
}
