package dev.penstock.spark.demo;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.read.streaming.Offset;

/** When the ticking began, and which row of each partition is the next. */
final class TickOffset extends Offset {
  private final long startMillis;
  private final long[] next;

  TickOffset(long startMillis, long[] next) {
    this.startMillis = startMillis;
    this.next = next.clone();
  }

  static TickOffset parse(String json) {
    String[] numbers = json.replaceAll("[^0-9,]", "").split(",", -1);
    long[] next = new long[numbers.length - 1];
    for (int i = 0; i < next.length; i++) {
      next[i] = Long.parseLong(numbers[i + 1]);
    }
    return new TickOffset(Long.parseLong(numbers[0]), next);
  }

  long startMillis() {
    return startMillis;
  }

  long next(int partition) {
    return next[partition];
  }

  long total() {
    return Arrays.stream(next).sum();
  }

  @Override
  public String json() {
    return "["
        + startMillis
        + ","
        + Arrays.stream(next).mapToObj(Long::toString).collect(Collectors.joining(","))
        + "]";
  }
}
