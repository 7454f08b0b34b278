package dev.penstock.examples.demo;

import java.util.List;

/**
 * What went through one end of one channel. The checksum does not depend on the order of the
 * records; it does depend on each one's number and text. Confined to a thread.
 */
final class Tally {
  private long records;
  private long bytes;
  private long checksum;
  private long next;
  private long lost;
  private long duplicated;

  /** Counts a record; its number says whether one is missing or came twice. */
  void add(long number, int textCrc, int length) {
    records++;
    bytes += length;
    checksum += mix(number * 0x9E3779B97F4A7C15L + textCrc);
    if (number >= next) {
      lost += number - next;
      next = number + 1;
    } else {
      duplicated++;
    }
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 32)) * 0xD6E8FEB86659FD93L;
    return mixed ^ (mixed >>> 29);
  }

  /** Makes sums of several channels; they say nothing about order. */
  void add(Tally other) {
    records += other.records;
    bytes += other.bytes;
    checksum += other.checksum;
    lost += other.lost;
    duplicated += other.duplicated;
  }

  /** Records that were sent and neither came nor were missed by the ones after them. */
  static long lostAtEnd(Tally sent, Tally received) {
    return Math.max(0, sent.next - received.next);
  }

  boolean sameRecords(Tally other) {
    return records == other.records && bytes == other.bytes && checksum == other.checksum;
  }

  long records() {
    return records;
  }

  long bytes() {
    return bytes;
  }

  long checksum() {
    return checksum;
  }

  /** The number that the next record has. */
  long next() {
    return next;
  }

  long lost() {
    return lost;
  }

  long duplicated() {
    return duplicated;
  }

  /** The form that {@link #parse} reads. */
  String text() {
    return String.join(
        " ",
        Long.toString(records),
        Long.toString(bytes),
        Long.toHexString(checksum),
        Long.toString(next),
        Long.toString(lost),
        Long.toString(duplicated));
  }

  static Tally parse(List<String> words) {
    Tally tally = new Tally();
    tally.records = Long.parseLong(words.get(0));
    tally.bytes = Long.parseLong(words.get(1));
    tally.checksum = Long.parseUnsignedLong(words.get(2), 16);
    tally.next = Long.parseLong(words.get(3));
    tally.lost = Long.parseLong(words.get(4));
    tally.duplicated = Long.parseLong(words.get(5));
    return tally;
  }
}
