package dev.penstock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one case JVM is told on its command line.
 *
 * @param workload what to send
 * @param systemClass the implementation of {@link MessageSystem}
 * @param parameters settings of the system
 * @param warmUp how long to run before measuring
 * @param measure how long to measure
 * @param endpoint where the receiving half is, in a JVM that only sends; empty otherwise
 */
public record CaseOptions(
    Workload workload,
    String systemClass,
    Parameters parameters,
    Duration warmUp,
    Duration measure,
    String endpoint) {

  /** A case whose halves are not told anything by another JVM. */
  public CaseOptions(
      Workload workload,
      String systemClass,
      Parameters parameters,
      Duration warmUp,
      Duration measure) {
    this(workload, systemClass, parameters, warmUp, measure, "");
  }

  static CaseOptions parse(String[] args) {
    Map<String, String> options = new HashMap<>();
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (!arg.startsWith("--") || equals < 0) {
        throw new IllegalArgumentException("expected --name=value, got '" + arg + "'");
      }
      options.put(arg.substring(2, equals), arg.substring(equals + 1));
    }
    return new CaseOptions(
        Workload.named(required(options, "workload")),
        required(options, "system"),
        Parameters.parse(options.getOrDefault("parameters", "")),
        Duration.ofMillis(Long.parseLong(required(options, "warm-up-ms"))),
        Duration.ofMillis(Long.parseLong(required(options, "measure-ms"))),
        options.getOrDefault("endpoint", ""));
  }

  private static String required(Map<String, String> options, String name) {
    String value = options.get(name);
    if (value == null) {
      throw new IllegalArgumentException("--" + name + "= is missing");
    }
    return value;
  }

  CaseOptions sendingTo(String address) {
    return new CaseOptions(workload, systemClass, parameters, warmUp, measure, address);
  }

  boolean onlySends() {
    return !endpoint.isEmpty();
  }

  /** The arguments that {@link #parse} reads. */
  public List<String> arguments() {
    List<String> args = new ArrayList<>();
    args.add("--workload=" + workload.name());
    args.add("--system=" + systemClass);
    args.add("--parameters=" + parameters.text());
    args.add("--warm-up-ms=" + warmUp.toMillis());
    args.add("--measure-ms=" + measure.toMillis());
    if (onlySends()) {
      args.add("--endpoint=" + endpoint);
    }
    return args;
  }

  MessageSystem newSystem() throws ReflectiveOperationException {
    return Class.forName(systemClass)
        .asSubclass(MessageSystem.class)
        .getConstructor(Parameters.class)
        .newInstance(parameters);
  }
}
