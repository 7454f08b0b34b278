package dev.penstock.benchmarks.runner;

import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Workload;
import dev.penstock.benchmarks.netty.NettySystem;
import dev.penstock.benchmarks.socket.SocketSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The systems that are measured, and what each workload is compared with. */
final class Catalogue {
  static final String ANCHOR = "raw-socket";

  private static final String OWN_CLASS_PATH = "";
  private static final Workload THROUGHPUT_ANCHOR = Workload.named("W1/1x1");

  /**
   * What a workload's figures are divided by beside the anchor: the peer that matters most for it.
   */
  private static final Map<String, String> BASELINES =
      Map.of(
          "W1",
          ANCHOR,
          "W2",
          "flink-epoll",
          "W3",
          "flink-epoll",
          "W4",
          "netty-epoll",
          "W5",
          "netty-epoll");

  private Catalogue() {}

  static List<SystemSpec> systems() {
    List<SystemSpec> all = new ArrayList<>();
    all.add(own(ANCHOR, "raw blocking socket", SocketSystem.class, "", true));
    all.add(own("netty-epoll", "raw Netty, epoll", NettySystem.class, "transport=epoll", true));
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
        new SystemSpec(
            "spark",
            "Spark network-common",
            "spark",
            "dev.penstock.benchmarks.spark.SparkSystem",
            Parameters.parse("transport=epoll"),
            List.of(),
            workload -> true,
            false));
    return all;
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
        workload -> true,
        quick);
  }

  private static SystemSpec flink(String id, String title, String parameters, boolean quick) {
    return new SystemSpec(
        id,
        title,
        "flink",
        "dev.penstock.benchmarks.flink.FlinkSystem",
        Parameters.parse(parameters),
        List.of(),
        workload -> workload.processes() == 1,
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

  static String baseline(Workload workload) {
    return BASELINES.getOrDefault(workload.id(), ANCHOR);
  }
}
