package dev.penstock.spark;

import dev.penstock.transport.Transport;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.shuffle.ShuffleHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The driver's node: routes new shuffles, hears executors, and drives the tracker. */
final class DriverNode implements AutoCloseable, Tracker.Scheduler {
  private static final Logger LOG = LoggerFactory.getLogger(DriverNode.class);
  private static final AtomicReference<DriverNode> CURRENT = new AtomicReference<>();

  private final SparkContext spark;
  private final Settings settings;
  private final Transport transport;
  private final InetSocketAddress address;
  private final ControlLinks links;
  private final Map<Integer, ShuffleEntry> shuffles = new ConcurrentHashMap<>();
  private final Set<String> realTimeQueries = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(daemon("penstock-tracker"));
  private final ExecutorService jobs = Executors.newCachedThreadPool(daemon("penstock-jobs"));
  private final DriverMetrics metrics = new DriverMetrics();
  private final FirstExecutor firstExecutor = new FirstExecutor();
  private final Tracker tracker;
  private volatile boolean closed;

  private DriverNode(SparkContext spark, PluginContext context, Settings settings) {
    this.spark = spark;
    this.settings = settings;
    this.transport = Nodes.open("driver", context.conf(), settings, true);
    String host = context.conf().get("spark.driver.host", context.hostname());
    String bind = context.conf().get("spark.driver.bindAddress", host);
    InetSocketAddress bound =
        Nodes.bind(transport, bind, settings.driverPort(), Settings.DRIVER_PORT);
    this.address = InetSocketAddress.createUnresolved(host, bound.getPort());
    this.links = new ControlLinks(transport);
    this.tracker = new Tracker(settings, thread, links, this, metrics, shuffles);
    metrics.register(context);
  }

  static DriverNode start(SparkContext spark, PluginContext context, Settings settings) {
    DriverNode node = new DriverNode(spark, context, settings);
    CURRENT.set(node);
    node.tracker.start();
    spark
        .listenerBus()
        .addToQueue(new TrackerListener(node.tracker, node.firstExecutor), "penstock");
    LOG.info("Penstock's driver node listens on {}, mode {}", node.address, settings.mode());
    return node;
  }

  static DriverNode currentOrNull() {
    return CURRENT.get();
  }

  DriverMetrics metrics() {
    return metrics;
  }

  private static ThreadFactory daemon(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Chooses the way of a new shuffle; on the thread that builds the job. */
  <K, V, C> ShuffleHandle register(
      int shuffle, ShuffleDependency<K, V, C> dependency, ShuffleHandle sort) {
    String reason = Route.whySort(spark, settings, dependency);
    Properties local = spark.getLocalProperties();
    String query = Route.queryId(local);
    int maps = dependency.rdd().partitions().length;
    int partitions = dependency.partitioner().numPartitions();
    boolean realTime = reason == null && query != null && isRealTime(query, dependency);
    if (reason == null && !realTime) {
      Demand demand = Demand.of(dependency, maps, partitions, shuffles);
      int all = knownSlots();
      if (all > 0 && demand.slots() > all) {
        reason =
            demand.slots() + " tasks have to run at the same time, but there are " + all + " slots";
      }
    }
    metrics.routed(reason == null);
    if (reason != null) {
      LOG.info("Shuffle {} goes to the sort shuffle: {}", shuffle, reason);
      return sort;
    }
    PenstockHandle<K, V, C> handle = new PenstockHandle<>(shuffle, dependency, sort, realTime);
    dependency.setShuffleMergeAllowed(false);
    shuffles.put(shuffle, new ShuffleEntry(handle, maps, partitions, query, realTime));
    MapOutputs.pretend(shuffle, maps, partitions);
    LOG.info("Shuffle {} is pipelined: {} maps, {} partitions", shuffle, maps, partitions);
    return handle;
  }

  /** With dynamic allocation executors come only after the job that would wait for them. */
  private int knownSlots() {
    boolean dynamic = spark.getConf().getBoolean("spark.dynamicAllocation.enabled", false);
    return firstExecutor.await(this::slots, dynamic ? 0 : settings.startMillis());
  }

  private boolean isRealTime(String query, ShuffleDependency<?, ?, ?> dependency) {
    if (RealTime.reads(dependency.rdd())) {
      realTimeQueries.add(query);
    }
    return realTimeQueries.contains(query);
  }

  void unregister(int shuffle) {
    shuffles.remove(shuffle);
  }

  /** What an executor asks; answered at once. */
  Message receive(Message message) {
    metrics.requested();
    if (message instanceof Message.Hello hello) {
      if (closed) {
        return new Message.Refused("the application ends");
      }
      long exchange = links.open(hello.executor(), hello.host(), hello.port());
      return new Message.Welcome(exchange, address.getHostString(), address.getPort());
    } else if (message instanceof Message.Open open) {
      tracker.post(() -> tracker.open(open));
    } else if (message instanceof Message.TrackerLost lost) {
      ShuffleEntry entry = shuffles.get(lost.shuffle());
      if (entry != null && !entry.isSort()) {
        tracker.post(() -> tracker.lost(lost));
        return new Message.Later();
      }
    } else if (message instanceof Message.WriterBegins begins) {
      tracker.post(() -> tracker.writerBegins(begins));
    } else if (message instanceof Message.WriterUp up) {
      return tracker.admit(up);
    } else if (message instanceof Message.WriterDone done) {
      tracker.post(() -> tracker.writerDone(done));
    } else if (message instanceof Message.WriterFailed m) {
      String reason = "writer " + m.map() + " failed: " + m.reason();
      tracker.post(() -> tracker.failed(new GenerationKey(m.exchange(), m.attempt()), reason));
    } else if (message instanceof Message.ReaderFailed m) {
      String reason = "the reader of partition " + m.partition() + " failed: " + m.reason();
      tracker.post(() -> tracker.failed(new GenerationKey(m.exchange(), m.attempt()), reason));
    } else {
      throw new IllegalArgumentException("not for the driver: " + message);
    }
    return new Message.Ok();
  }

  @Override
  public int slots() {
    return SparkInternals.slots(spark);
  }

  @Override
  public void submit(Generation generation, ShuffleDependency<?, ?, ?> dependency) {
    jobs.execute(
        () -> {
          try {
            var job =
                WritersJob.submit(
                    spark,
                    generation,
                    dependency,
                    task -> tracker.post(task),
                    failure -> tracker.finished(generation, failure));
            tracker.post(() -> tracker.submitted(generation, job));
          } catch (RuntimeException | Error e) {
            tracker.post(() -> tracker.finished(generation, e));
          }
        });
  }

  @Override
  public void reset(ShuffleEntry entry) {
    MapOutputs.reset(entry.shuffle(), entry.maps(), entry.partitions(), entry.checksums());
  }

  @Override
  public void close() {
    closed = true;
    CURRENT.compareAndSet(this, null);
    LOG.info("Penstock: {}", metrics);
    jobs.shutdownNow();
    thread.shutdownNow();
    links.close();
    transport.close(java.time.Duration.ZERO);
  }
}
