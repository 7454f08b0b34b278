package dev.penstock.benchmarks.penstock;

import dev.penstock.benchmarks.CuttingProxy;
import dev.penstock.benchmarks.MessageSystem;
import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Sinks;
import dev.penstock.benchmarks.Trait;
import dev.penstock.benchmarks.Workload;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.IoKind;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Two Penstock nodes with default options, but for what the tuning table of the documentation
 * tries. Producers claim room in their gate's log and copy the record in; a consumer is a thread
 * that polls its gate, or a handler on the event loop.
 */
public final class PenstockSystem implements MessageSystem {
  private static final long EXCHANGE = 1;
  private static final int MESSAGES_PER_POLL = 1024;
  private static final Duration POLL_TIMEOUT = Duration.ofSeconds(1);
  private static final int MOST_CONSUMER_THREADS = 16;
  private static final double BYTES_PER_MEBIBYTE = 1 << 20;

  private final Parameters parameters;
  private final boolean onLoop;
  private final IoKind ioKind;
  private final List<InputGate> inputs = new ArrayList<>();
  private Workload workload;
  private Transport receiving;
  private Transport sending;
  private CuttingProxy proxy;
  private InetSocketAddress target;

  public PenstockSystem(Parameters parameters) {
    this.parameters = parameters;
    onLoop = parameters.get("consumer", "thread").equals("loop");
    ioKind = IoKind.valueOf(parameters.get("io", "auto").toUpperCase(Locale.ROOT));
  }

  @Override
  public String listen(Workload workload, Sinks sinks) throws IOException {
    this.workload = workload;
    receiving = Transport.open(options(workload, "consumers"));
    InetSocketAddress address =
        receiving.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    for (int consumer = 0; consumer < workload.consumers(); consumer++) {
      openInput(consumer, sinks);
    }
    return String.valueOf(address.getPort());
  }

  private TransportOptions options(Workload workload, String name) {
    TransportOptions.Builder options =
        TransportOptions.builder()
            .nodeName(name)
            .ioKind(ioKind)
            .payloadCrc(!workload.has(Trait.NO_CHECKSUM));
    ifGiven("lanes", options::lanes);
    ifGiven("event-loops", options::eventLoops);
    ifGiven("frame", options::maxFrameLength);
    ifGiven("budget-channels", options::budgetChannels);
    ifGiven("channel-float", options::channelFloat);
    ifGiven("log-float", options::logFloat);
    if (workload.has(Trait.TLS)) {
      options.tls(Certificates.tls());
    }
    return options.build();
  }

  private void ifGiven(String name, IntFunction<?> option) {
    int value = parameters.getInt(name, 0);
    if (value > 0) {
      Object unused = option.apply(value);
    }
  }

  private void openInput(int consumer, Sinks sinks) {
    boolean polled = !onLoop && workload.consumers() <= MOST_CONSUMER_THREADS;
    RecordHandler handler = new RecordHandler(consumer, workload.producers(), sinks);
    InputGateOptions.Builder options = InputGateOptions.builder(EXCHANGE, consumer);
    InputGate gate = receiving.openInput((polled ? options : options.loopHandler(handler)).build());
    inputs.add(gate);
    for (int producer = 0; producer < workload.producers(); producer++) {
      gate.addProducer(producer);
    }
    gate.announceProducers(workload.producers());
    if (polled) {
      Thread thread = new Thread(() -> poll(gate, handler, sinks), "bench-consumer-" + consumer);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void poll(InputGate gate, RecordHandler handler, Sinks sinks) {
    try {
      while (!gate.isEnded()) {
        gate.poll(handler, MESSAGES_PER_POLL, POLL_TIMEOUT);
      }
    } catch (InterruptedException | TransportException e) {
      sinks.failed(e);
    }
  }

  @Override
  public void connect(Workload workload, String endpoint) throws IOException {
    this.workload = workload;
    if (workload.has(Trait.SAME_NODE)) {
      sending = receiving;
      return;
    }
    target = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(endpoint));
    if (workload.has(Trait.CUTS)) {
      proxy = new CuttingProxy(target);
      target = proxy.address();
    }
    sending = Transport.open(options(workload, "producers"));
    sending.dial(target).join();
  }

  @Override
  public Producer producer(int index) {
    OutputGateOptions.Builder options =
        OutputGateOptions.builder(EXCHANGE, index, workload.consumers());
    for (int consumer = 0; target != null && consumer < workload.consumers(); consumer++) {
      options.pushTo(consumer, target);
    }
    return new PenstockProducer(sending.openOutput(options.build()));
  }

  @Override
  public void cut() throws IOException {
    proxy.cut();
  }

  @Override
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    if (sending != null) {
      metrics.put(
          "output_peak_mib", sending.defaultBudget().outputBytesPeak() / BYTES_PER_MEBIBYTE);
    }
    if (receiving != null) {
      metrics.put(
          "input_peak_mib", receiving.defaultBudget().inputBytesPeak() / BYTES_PER_MEBIBYTE);
    }
    return metrics;
  }

  @Override
  public String version() {
    String version = Transport.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  @Override
  public void close() throws IOException {
    inputs.forEach(InputGate::close);
    if (sending != null) {
      sending.close();
    }
    if (receiving != null) {
      receiving.close();
    }
    if (proxy != null) {
      proxy.close();
    }
  }
}
