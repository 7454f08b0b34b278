package dev.penstock.spark;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** All that Penstock logs while this is open, at every level, with what is thrown. */
final class LogLines implements AutoCloseable {
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
  private final LoggerConfig ours = context.getConfiguration().getLoggerConfig("dev.penstock");
  private final Level before = ours.getLevel();
  private final AbstractAppender appender =
      new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          lines.add(
              event.getMessage().getFormattedMessage()
                  + (event.getThrown() == null ? "" : " " + event.getThrown()));
        }
      };

  LogLines() {
    appender.start();
    ours.setLevel(Level.ALL);
    ours.addAppender(appender, Level.ALL, null);
    context.updateLoggers();
  }

  List<String> all() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    ours.removeAppender("lines");
    ours.setLevel(before);
    context.updateLoggers();
  }
}
