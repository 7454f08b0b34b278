package dev.penstock.benchmarks;

/**
 * Records and the sum of their heads: equal on both sides when nothing was lost, doubled or
 * changed.
 *
 * @param records number of records
 * @param checksum sum of the first eight bytes of all records, with overflow
 */
record Totals(long records, long checksum) {
  static final Totals NONE = new Totals(0, 0);

  Totals plus(Totals other) {
    return new Totals(records + other.records, checksum + other.checksum);
  }

  /** The form that {@link #parse} reads. */
  String text() {
    return records + " " + checksum;
  }

  static Totals parse(String text) {
    String[] parts = text.trim().split(" ", -1);
    return new Totals(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }
}
