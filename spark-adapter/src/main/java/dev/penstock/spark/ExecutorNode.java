package dev.penstock.spark;

import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.storage.BlockManagerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This executor's node: its transport, the control channel from the driver, and the reading and
 * writing tasks that live here. Spark makes plugin and shuffle manager independently of each other,
 * so they meet in a static field, as they do in Spark's own environment.
 */
final class ExecutorNode {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorNode.class);
  private static final AtomicReference<ExecutorNode> CURRENT = new AtomicReference<>();

  /** Before the driver is asked for another control channel. */
  private static final long PAUSE_MILLIS = 100;

  private static final long PAUSE_MAX_MILLIS = 10_000;
  private static final long JOIN_MILLIS = 5_000;

  private final PluginContext context;
  private final Settings settings;
  private final String executor;
  private final Transport transport;
  private final InetSocketAddress address;
  private final Map<Long, ReaderSession> readers = new ConcurrentHashMap<>();
  private final Map<WriterSession, Boolean> writers = new ConcurrentHashMap<>();
  private final AtomicLong readerNumbers = new AtomicLong();
  private final ScheduledExecutorService flusher;
  private final TransferMetrics metrics = new TransferMetrics();
  private final Compression compression;
  private volatile String lostTracker;
  private InputGate control;
  private Control hearing;
  private Thread calling;
  private boolean closed;
  private final AtomicInteger losses = new AtomicInteger();

  private ExecutorNode(PluginContext context, Settings settings) {
    this.context = context;
    this.settings = settings;
    this.executor = context.executorID();
    this.compression = Compression.of(context.conf(), settings.compression());
    this.transport = Nodes.open("executor-" + executor, context.conf(), settings, false);
    this.address = Nodes.bind(transport, host(context), settings.port(), Settings.PORT);
    this.flusher =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "penstock-flush-" + executor);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Executors of a cluster have no server for remote calls, so their context knows no host. */
  private static String host(PluginContext context) {
    BlockManagerId id = SparkEnv.get().blockManager().blockManagerId();
    return id == null ? context.hostname() : id.host();
  }

  /** Opens the node and tells the driver. Blocks for one question to the driver. */
  static ExecutorNode start(PluginContext context, Settings settings) {
    ExecutorNode node = new ExecutorNode(context, settings);
    try {
      node.connect();
    } catch (RuntimeException e) {
      node.close();
      throw e;
    }
    CURRENT.set(node);
    return node;
  }

  static ExecutorNode current() {
    ExecutorNode node = CURRENT.get();
    if (node == null) {
      throw new IllegalStateException(
          "Penstock's plugin is not running here: set spark.plugins=dev.penstock.spark"
              + ".PenstockPlugin and do not set spark.shuffle.manager yourself");
    }
    return node;
  }

  private void connect() {
    if (!callDriver()) {
      throw new IllegalStateException("the application ends before this executor begins");
    }
    long every = settings.flushMillis();
    var unused = flusher.scheduleWithFixedDelay(this::flush, every, every, TimeUnit.MILLISECONDS);
    LOG.info("Penstock listens on {} and hears from the driver", address);
  }

  /** Has the driver open a control channel to here; false if either of them is ending. */
  private boolean callDriver() {
    Message answer = ask(new Message.Hello(executor, address.getHostString(), address.getPort()));
    if (!(answer instanceof Message.Welcome welcome)) {
      return false;
    }
    Control handler = new Control();
    InputGate next =
        transport.openInput(
            InputGateOptions.builder(welcome.exchange(), 0).loopHandler(handler).build());
    synchronized (this) {
      if (closed) {
        next.close();
        return false;
      }
      control = next;
      hearing = handler;
      lostTracker = null;
    }
    next.addProducer(0, new InetSocketAddress(welcome.host(), welcome.port()));
    return true;
  }

  /** Whether the driver can tell this executor anything, as far as is known here. */
  boolean hears() {
    return lostTracker == null;
  }

  String executor() {
    return executor;
  }

  Settings settings() {
    return settings;
  }

  Compression compression() {
    return compression;
  }

  Transport transport() {
    return transport;
  }

  TransferMetrics metrics() {
    return metrics;
  }

  boolean isHere(String host, int port) {
    return port == address.getPort() && host.equals(address.getHostString());
  }

  /** Asks the driver. Blocks as long as Spark's remote calls may take. */
  Message ask(Message message) {
    try {
      return MessageCodec.decode((byte[]) context.ask(MessageCodec.encode(message)));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException("the driver did not answer " + message, e);
    }
  }

  long nextReader() {
    return readerNumbers.incrementAndGet();
  }

  void add(ReaderSession reader) {
    readers.put(reader.number(), reader);
    String lost = lostTracker;
    if (lost != null) {
      reader.lose(lost);
    }
  }

  void remove(ReaderSession reader) {
    readers.remove(reader.number());
  }

  void add(WriterSession writer) {
    writers.put(writer, Boolean.TRUE);
  }

  void remove(WriterSession writer) {
    writers.remove(writer);
  }

  private void flush() {
    for (WriterSession writer : writers.keySet()) {
      try {
        writer.flushOld();
      } catch (RuntimeException e) {
        LOG.warn("flushing {} failed; its task will notice", writer.key(), e);
      }
    }
  }

  private void dispatch(Message message) {
    if (message instanceof Message.Opened m) {
      toReader(m.reader(), m);
    } else if (message instanceof Message.WriterAt m) {
      toReader(m.reader(), m);
    } else if (message instanceof Message.Complete m) {
      toReader(m.reader(), m);
    } else if (message instanceof Message.GiveUp m) {
      toReader(m.reader(), m);
    } else if (message instanceof Message.Close m) {
      for (WriterSession writer : writers.keySet()) {
        if (writer.key().equals(new GenerationKey(m.exchange(), m.attempt()))) {
          writer.notNeeded();
        }
      }
    } else if (message instanceof Message.Fail m) {
      for (WriterSession writer : writers.keySet()) {
        if (writer.key().equals(new GenerationKey(m.exchange(), m.attempt()))) {
          writer.fail(m.reason());
        }
      }
    } else {
      LOG.warn("the driver sent {}, which is for drivers", message);
    }
  }

  private void toReader(long number, Message message) {
    ReaderSession reader = readers.get(number);
    if (reader != null) {
      reader.on(message);
    }
  }

  /** What the driver said last may be lost: whoever waits for it gives up, later tasks need not. */
  private void lose(Control handler, String reason) {
    String lost = "the control channel to the driver broke: " + reason;
    synchronized (this) {
      if (closed || handler != hearing) {
        return;
      }
      hearing = null;
      lostTracker = lost;
      InputGate broken = control;
      int times = losses.getAndIncrement();
      // Asking blocks, which an event loop must not.
      calling = new Thread(() -> callAgain(broken, times), "penstock-control-" + executor);
      calling.setDaemon(true);
      calling.start();
    }
    for (ReaderSession reader : readers.values()) {
      reader.lose(lost);
    }
    for (WriterSession writer : writers.keySet()) {
      writer.fail(lost);
    }
  }

  private void callAgain(InputGate broken, int times) {
    LOG.info("{}; asking for another one", lostTracker);
    broken.close();
    for (int attempt = times; ; attempt++) {
      try {
        Thread.sleep(pauseMillis(attempt));
        if (callDriver()) {
          LOG.info("Penstock hears from the driver again");
        }
        return;
      } catch (InterruptedException e) {
        LOG.debug("closed while asking for a control channel", e);
        return;
      } catch (RuntimeException e) {
        if (Thread.currentThread().isInterrupted()) {
          LOG.debug("closed while asking for a control channel", e);
          return;
        }
        LOG.debug("the driver cannot be asked for a control channel; trying again", e);
      }
    }
  }

  /** Longer each time, and not the same for all executors. */
  private static long pauseMillis(int attempt) {
    long most = Math.min(PAUSE_MAX_MILLIS, PAUSE_MILLIS << Math.min(attempt, 10));
    return most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
  }

  void close() {
    CURRENT.compareAndSet(this, null);
    flusher.shutdownNow();
    InputGate open;
    Thread caller;
    synchronized (this) {
      closed = true;
      open = control;
      caller = calling;
    }
    if (caller != null) {
      caller.interrupt();
    }
    if (open != null) {
      open.close();
    }
    transport.close(java.time.Duration.ZERO);
    if (caller != null) {
      awaitEnd(caller);
    }
  }

  private static void awaitEnd(Thread thread) {
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs on an event loop: sets fields, adds producers, wakes tasks. */
  private final class Control implements MessageHandler {
    @Override
    public void onMessage(int producer, ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      losses.set(0);
      dispatch(MessageCodec.decode(copy));
    }

    @Override
    public void onFailure(int producer, TransportException failure) {
      lose(this, failure.getMessage());
    }
  }
}
