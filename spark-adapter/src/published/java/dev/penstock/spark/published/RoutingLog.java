package dev.penstock.spark.published;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/**
 * Counts what the adapter says about each shuffle in its log, which is what a user sees. Contexts
 * come and go in the middle of a test; the log outlives them.
 */
final class RoutingLog extends AbstractAppender implements AutoCloseable {
  private static final String LOGGER = "dev.penstock.spark";
  private static final String DRIVER = LOGGER + ".DriverNode";

  private static final Pattern SORT =
      Pattern.compile("Shuffle [0-9]+ goes to the sort shuffle: (.*)");
  private static final Pattern PIPELINED = Pattern.compile("Shuffle [0-9]+ is pipelined");

  private Routes routes = new Routes();

  private RoutingLog() {
    super("routing", null, null, false, Property.EMPTY_ARRAY);
  }

  /** What became of shuffles. */
  static final class Routes {
    private final Map<String, Integer> sort = new TreeMap<>();
    private final Map<String, Integer> fellBack = new TreeMap<>();
    private int pipelined;
    private int complete;

    int pipelined() {
      return pipelined;
    }

    int complete() {
      return complete;
    }

    int shuffles() {
      return pipelined + count(sort);
    }

    int fellBack() {
      return count(fellBack);
    }

    void add(Routes other) {
      pipelined += other.pipelined;
      complete += other.complete;
      other.sort.forEach((reason, count) -> sort.merge(reason, count, Integer::sum));
      other.fellBack.forEach((reason, count) -> fellBack.merge(reason, count, Integer::sum));
    }

    private static int count(Map<String, Integer> reasons) {
      return reasons.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static String text(Map<String, Integer> reasons) {
      StringBuilder text = new StringBuilder();
      reasons.forEach(
          (reason, count) ->
              text.append(text.isEmpty() ? " (" : "; ").append(count).append(" x ").append(reason));
      return text.isEmpty() ? "" : text.append(')').toString();
    }

    @Override
    public String toString() {
      return pipelined
          + " pipelined, "
          + complete
          + " generations complete, "
          + count(fellBack)
          + " fell back"
          + text(fellBack)
          + ", "
          + count(sort)
          + " to sort at once"
          + text(sort);
    }
  }

  static RoutingLog install() {
    RoutingLog log = new RoutingLog();
    log.start();
    LoggerContext context = (LoggerContext) LogManager.getContext(false);
    LoggerConfig config = new LoggerConfig(LOGGER, Level.INFO, false);
    config.addAppender(log, Level.INFO, null);
    context.getConfiguration().addLogger(LOGGER, config);
    context.updateLoggers();
    return log;
  }

  @Override
  public void close() {
    LoggerContext context = (LoggerContext) LogManager.getContext(false);
    context.getConfiguration().removeLogger(LOGGER);
    context.updateLoggers();
    stop();
  }

  /** What has been said since the last call. */
  synchronized Routes take() {
    Routes taken = routes;
    routes = new Routes();
    return taken;
  }

  @Override
  public synchronized void append(LogEvent event) {
    String message = event.getMessage().getFormattedMessage();
    Matcher sort = SORT.matcher(message);
    if (sort.lookingAt()) {
      var reasons = event.getLoggerName().equals(DRIVER) ? routes.sort : routes.fellBack;
      reasons.merge(kind(sort.group(1)), 1, Integer::sum);
    } else if (PIPELINED.matcher(message).lookingAt()) {
      routes.pipelined++;
    } else if (message.contains(": COMPLETE after ")) {
      routes.complete++;
    }
  }

  /** The same reason with other numbers is the same reason. */
  private static String kind(String reason) {
    return reason.replaceAll("[0-9]+", "N");
  }
}
