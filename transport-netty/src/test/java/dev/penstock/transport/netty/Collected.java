package dev.penstock.transport.netty;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes down what is handed out, and checks numbers and pieces while doing so. */
final class Collected implements RecordHandler {
  final Map<Object, List<byte[]>> records = new HashMap<>();
  final Map<Object, Ending> endings = new HashMap<>();
  private final Map<Object, byte[]> partial = new HashMap<>();

  /** Messages so far. */
  int size() {
    return records.values().stream().mapToInt(List::size).sum();
  }

  /** Fails on the first message that differs, without printing them all. */
  void assertEqualTo(Object channel, List<byte[]> expected) {
    List<byte[]> actual = of(channel);
    for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
      if (!Arrays.equals(actual.get(i), expected.get(i))) {
        throw new AssertionError("message " + i + " of channel " + channel + " differs");
      }
    }
    if (actual.size() != expected.size()) {
      throw new AssertionError(actual.size() + " messages, expected " + expected.size());
    }
  }

  List<byte[]> of(Object channel) {
    return records.computeIfAbsent(channel, key -> new ArrayList<>());
  }

  @Override
  public boolean onRecord(InboundChannel channel, int kind, long sequence, ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    add(channel, sequence, copy);
    return true;
  }

  @Override
  public boolean onPiece(
      InboundChannel channel, int kind, long sequence, ByteBuffer bytes, int offset, int total) {
    byte[] whole = partial.computeIfAbsent(channel.attachment(), key -> new byte[total]);
    int length = bytes.remaining();
    bytes.get(whole, offset, length);
    if (offset + length == total) {
      add(channel, sequence, whole);
      partial.remove(channel.attachment());
    }
    return true;
  }

  private void add(InboundChannel channel, long sequence, byte[] bytes) {
    List<byte[]> list = of(channel.attachment());
    if (list.size() != sequence) {
      throw new AssertionError("message " + sequence + " after " + list.size() + " messages");
    }
    list.add(bytes);
  }

  @Override
  public void onEnding(InboundChannel channel, Ending ending) {
    if (endings.put(channel.attachment(), ending) != null) {
      throw new AssertionError("a second ending");
    }
  }
}
