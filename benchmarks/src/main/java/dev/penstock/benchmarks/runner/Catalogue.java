package dev.penstock.benchmarks.runner;

import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Trait;
import dev.penstock.benchmarks.Workload;
import dev.penstock.benchmarks.netty.NettySystem;
import dev.penstock.benchmarks.penstock.PenstockSystem;
import dev.penstock.benchmarks.socket.SocketSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The systems that are measured, and what each workload is compared with. */
final class Catalogue {
  static final String ANCHOR = "raw-socket";
  static final String PENSTOCK = "penstock";

  private static final String OWN_CLASS_PATH = "";
  private static final String HARNESS = "dev.penstock.benchmarks.";

  /** What the Agrona that Aeron comes with needs; no other case runs with it. */
  private static final List<String> OPENS =
      List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED");

  private static final int MOST_CONNECTIONS = 1_000;
  private static final Workload THROUGHPUT_ANCHOR = Workload.named("W1/1x1");

  /**
   * What a workload's figures are divided by beside the anchor: the peer that matters most, or its
   * plain variant.
   */
  private static final Map<String, Reference> BASELINES =
      Map.ofEntries(
          Map.entry("W2/4x4", new Reference("W2/4x4", "flink-epoll")),
          Map.entry("W3/1x1", new Reference("W3/1x1", "flink-epoll")),
          Map.entry("W3/4x4", new Reference("W3/4x4", "flink-epoll")),
          Map.entry("W4/1x1", new Reference("W4/1x1", "netty-epoll")),
          Map.entry("W5/1x1", new Reference("W5/1x1", "netty-epoll")),
          Map.entry("W5/4x4", new Reference("W5/4x4", "netty-epoll")),
          Map.entry("W7/1x1000", new Reference("W7/1x4", PENSTOCK)),
          Map.entry("W7/1x10000", new Reference("W7/1x4", PENSTOCK)),
          Map.entry("W8/4x4", new Reference("W8/4x4-undisturbed", PENSTOCK)),
          Map.entry("W9/1x1-tls", new Reference("W9/1x1-plain", PENSTOCK)),
          Map.entry("W9/1x1-no-crc", new Reference("W9/1x1-plain", PENSTOCK)));

  /** A case that others are compared with. */
  record Reference(String workload, String system) {}

  private Catalogue() {}

  static List<SystemSpec> systems() {
    List<SystemSpec> all = new ArrayList<>();
    all.add(own(ANCHOR, "raw blocking socket", SocketSystem.class, "", true));
    all.add(penstock(PENSTOCK, "Penstock", "consumer=thread", workload -> true, true));
    all.add(
        penstock(
            "penstock-loop",
            "Penstock, handlers on the loop",
            "consumer=loop",
            Catalogue::runsOnLoop,
            false));
    all.add(
        taking(
            own("netty-epoll", "raw Netty, epoll", NettySystem.class, "transport=epoll", true),
            Catalogue::isPlainOrScale));
    all.add(own("netty-nio", "raw Netty, NIO", NettySystem.class, "transport=nio", false));
    all.add(
        own(
            "netty-io-uring",
            "raw Netty, io_uring",
            NettySystem.class,
            "transport=io_uring",
            false));
    all.add(flink("flink-epoll", "Flink 2.3, epoll", "transport=epoll", true));
    all.add(flink("flink-nio", "Flink 2.3, NIO", "transport=nio", false));
    all.add(
        peer("spark", "Spark network-common", "spark.SparkSystem", "transport=epoll", List.of()));
    all.add(peer("grpc", "gRPC", "grpc.GrpcSystem", "", List.of()));
    all.add(peer("rsocket", "RSocket", "rsocket.RSocketSystem", "", List.of()));
    all.add(
        taking(
            peer("aeron-udp", "Aeron, UDP", "aeron.AeronSystem", "transport=udp", OPENS),
            Catalogue::isPlainInOneJvm));
    all.add(
        taking(
            peer("aeron-ipc", "Aeron, shared memory", "aeron.AeronSystem", "transport=ipc", OPENS),
            Catalogue::isPlainInOneJvm));
    return all;
  }

  /** A peer whose folder is named as the package of its system, below the harness. */
  private static SystemSpec peer(
      String id, String title, String type, String parameters, List<String> jvmFlags) {
    return new SystemSpec(
        id,
        title,
        type.substring(0, type.indexOf('.')),
        HARNESS + type,
        Parameters.parse(parameters),
        jvmFlags,
        Catalogue::isPlain,
        false);
  }

  private static SystemSpec taking(SystemSpec system, Predicate<Workload> takes) {
    return new SystemSpec(
        system.id(),
        system.title(),
        system.peer(),
        system.className(),
        system.parameters(),
        system.jvmFlags(),
        takes,
        system.quick());
  }

  private static SystemSpec own(
      String id, String title, Class<?> type, String parameters, boolean quick) {
    return new SystemSpec(
        id,
        title,
        OWN_CLASS_PATH,
        type.getName(),
        Parameters.parse(parameters),
        List.of(),
        Catalogue::isPlain,
        quick);
  }

  private static SystemSpec penstock(
      String id, String title, String parameters, Predicate<Workload> takes, boolean quick) {
    return new SystemSpec(
        id,
        title,
        OWN_CLASS_PATH,
        PenstockSystem.class.getName(),
        Parameters.parse(parameters),
        List.of(),
        takes,
        quick);
  }

  /** Peers run what can be asked of all; workloads with traits compare Penstock with itself. */
  private static boolean isPlain(Workload workload) {
    return workload.traits().isEmpty() && !workload.id().equals("W9") && !workload.isScale();
  }

  /** Raw Netty has a connection per channel, and would run out of files with ten thousand. */
  private static boolean isPlainOrScale(Workload workload) {
    return isPlain(workload) || (workload.isScale() && workload.channels() <= MOST_CONNECTIONS);
  }

  private static boolean isPlainInOneJvm(Workload workload) {
    return isPlain(workload) && workload.processes() == 1;
  }

  /** A slow handler on the loop would slow the transport down, which nobody claims it survives. */
  private static boolean runsOnLoop(Workload workload) {
    return !workload.has(Trait.SLOW_CONSUMER);
  }

  private static SystemSpec flink(String id, String title, String parameters, boolean quick) {
    return new SystemSpec(
        id,
        title,
        "flink",
        HARNESS + "flink.FlinkSystem",
        Parameters.parse(parameters),
        List.of(),
        Catalogue::isPlainInOneJvm,
        quick);
  }

  static SystemSpec system(String id) {
    return systems().stream().filter(system -> system.id().equals(id)).findFirst().orElseThrow();
  }

  /**
   * What the anchor runs beside a workload: one connection at full speed, or the same paced
   * records.
   */
  static Workload anchorWorkload(Workload workload) {
    return workload.paced() ? workload : THROUGHPUT_ANCHOR;
  }

  static Reference baseline(Workload workload) {
    Reference anchor = new Reference(anchorWorkload(workload).name(), ANCHOR);
    return BASELINES.getOrDefault(workload.name(), anchor);
  }
}
