package dev.penstock.transport.netty;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transport's one logger. */
final class Log {
  static final Logger LOG = LoggerFactory.getLogger("dev.penstock.transport");

  private Log() {}
}
