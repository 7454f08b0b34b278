package dev.penstock.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/**
 * What {@code spark.penstock.*} says, read and checked once.
 *
 * @param mode which shuffles are candidates
 * @param driverPort where the driver listens; 0 for any
 * @param port where executors listen; 0 for any
 * @param writerBytes memory of one writing task
 * @param readerBytes memory of one reading task
 * @param messageBytes longest message; longer rows are cut
 * @param batchBytes size of a message of serialized objects
 * @param flushMillis how long serialized objects wait for more
 * @param startMillis how long readers wait for the first writer
 * @param readersMillis how long writers wait for the last reader
 * @param maxGenerations how often one shuffle may be run
 * @param resumeMillis how long a broken connection may take to come back
 * @param compression the name of Spark's codec for messages, or none
 * @param verifyHostNames whether certificates must name the hosts
 */
record Settings(
    Mode mode,
    int driverPort,
    int port,
    long writerBytes,
    long readerBytes,
    int messageBytes,
    int batchBytes,
    long flushMillis,
    long startMillis,
    long readersMillis,
    int maxGenerations,
    long resumeMillis,
    String compression,
    boolean verifyHostNames) {
  static final String PREFIX = "spark.penstock.";
  static final String MODE = PREFIX + "mode";
  static final String DRIVER_PORT = PREFIX + "driver.port";
  static final String PORT = PREFIX + "port";
  static final String WRITER_MEMORY = PREFIX + "writer.memory";
  static final String READER_MEMORY = PREFIX + "reader.memory";
  static final String MESSAGE_LIMIT = PREFIX + "message.limit";
  static final String BATCH_SIZE = PREFIX + "batch.size";
  static final String FLUSH_INTERVAL = PREFIX + "flush.interval";
  static final String COMPRESSION = PREFIX + "compression.codec";
  static final String START_TIMEOUT = PREFIX + "start.timeout";
  static final String READERS_TIMEOUT = PREFIX + "readers.timeout";
  static final String MAX_GENERATIONS = PREFIX + "generations.max";
  static final String RESUME_WINDOW = PREFIX + "resume.window";
  static final String TLS_HOST_NAMES = PREFIX + "tls.hostnames";

  /** Every key and its default, in the order of the documentation. */
  static final Map<String, String> DEFAULTS = defaults();

  private static Map<String, String> defaults() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(MODE, "streaming");
    all.put(DRIVER_PORT, "0");
    all.put(PORT, "0");
    all.put(WRITER_MEMORY, "4m");
    all.put(READER_MEMORY, "4m");
    all.put(MESSAGE_LIMIT, "64k");
    all.put(BATCH_SIZE, "16k");
    all.put(FLUSH_INTERVAL, "5ms");
    all.put(COMPRESSION, "none");
    all.put(START_TIMEOUT, "60s");
    all.put(READERS_TIMEOUT, "60s");
    all.put(MAX_GENERATIONS, "8");
    all.put(RESUME_WINDOW, "60s");
    all.put(TLS_HOST_NAMES, "true");
    return java.util.Collections.unmodifiableMap(all);
  }

  static Settings of(SparkConf conf) {
    Settings settings =
        new Settings(
            Mode.parse(text(conf, MODE)),
            port(conf, DRIVER_PORT),
            port(conf, PORT),
            bytes(conf, WRITER_MEMORY, 64 << 10, 1L << 40),
            bytes(conf, READER_MEMORY, 64 << 10, 1L << 40),
            (int) bytes(conf, MESSAGE_LIMIT, 1 << 10, 8 << 20),
            (int) bytes(conf, BATCH_SIZE, 256, 8 << 20),
            millis(conf, FLUSH_INTERVAL, 1),
            millis(conf, START_TIMEOUT, 1),
            millis(conf, READERS_TIMEOUT, 1),
            number(conf, MAX_GENERATIONS, 1, 1_000_000),
            millis(conf, RESUME_WINDOW, 1),
            oneOf(conf, COMPRESSION, List.of("none", "lz4", "zstd")),
            flag(conf, TLS_HOST_NAMES));
    if (settings.batchBytes() > settings.messageBytes()) {
      throw new IllegalArgumentException(
          BATCH_SIZE + " must not exceed " + MESSAGE_LIMIT + ": lower the one or raise the other");
    }
    if (settings.messageBytes() > settings.writerBytes() / 4) {
      throw new IllegalArgumentException(
          MESSAGE_LIMIT + " must be at most a quarter of " + WRITER_MEMORY + ", so that it fits");
    }
    return settings;
  }

  /** Keys under the prefix that mean nothing: typing errors, or settings of another release. */
  static List<String> unknown(SparkConf conf) {
    List<String> unknown = new ArrayList<>();
    for (Tuple2<String, String> entry : conf.getAll()) {
      if (entry._1().startsWith(PREFIX) && !DEFAULTS.containsKey(entry._1())) {
        unknown.add(entry._1());
      }
    }
    return unknown;
  }

  private static String text(SparkConf conf, String key) {
    return conf.get(key, DEFAULTS.get(key)).trim();
  }

  private static boolean flag(SparkConf conf, String key) {
    return oneOf(conf, key, List.of("true", "false")).equals("true");
  }

  private static String oneOf(SparkConf conf, String key, List<String> values) {
    String value = text(conf, key);
    if (!values.contains(value)) {
      throw bad(conf, key, "one of " + String.join(", ", values), null);
    }
    return value;
  }

  private static int port(SparkConf conf, String key) {
    return number(conf, key, 0, 65_535);
  }

  private static int number(SparkConf conf, String key, int least, int most) {
    long value;
    try {
      value = Long.parseLong(text(conf, key));
    } catch (NumberFormatException e) {
      throw bad(conf, key, "a whole number", e);
    }
    return (int) range(key, value, least, most);
  }

  private static long bytes(SparkConf conf, String key, long least, long most) {
    try {
      return range(key, conf.getSizeAsBytes(key, DEFAULTS.get(key)), least, most);
    } catch (NumberFormatException e) {
      throw bad(conf, key, "a size such as 64k or 4m", e);
    }
  }

  private static long millis(SparkConf conf, String key, long least) {
    try {
      return range(key, conf.getTimeAsMs(key, DEFAULTS.get(key)), least, 24L * 3600 * 1000);
    } catch (NumberFormatException e) {
      throw bad(conf, key, "a time such as 500ms or 30s", e);
    }
  }

  private static long range(String key, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          key + " must be " + least + " to " + most + ", but is " + value);
    }
    return value;
  }

  private static IllegalArgumentException bad(
      SparkConf conf, String key, String expected, Exception cause) {
    return new IllegalArgumentException(
        key + " must be " + expected + ", but is \"" + text(conf, key) + "\"", cause);
  }
}
