package dev.penstock.benchmarks.flink;

import dev.penstock.benchmarks.MessageSystem;
import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.RecordSink;
import dev.penstock.benchmarks.Sinks;
import dev.penstock.benchmarks.Workload;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.deployment.InputGateDeploymentDescriptor;
import org.apache.flink.runtime.deployment.TaskDeploymentDescriptorFactory.ShuffleDescriptorAndIndex;
import org.apache.flink.runtime.io.network.NettyShuffleEnvironment;
import org.apache.flink.runtime.io.network.NettyShuffleEnvironmentBuilder;
import org.apache.flink.runtime.io.network.api.reader.MutableRecordReader;
import org.apache.flink.runtime.io.network.api.writer.RecordWriterBuilder;
import org.apache.flink.runtime.io.network.netty.NettyConfig;
import org.apache.flink.runtime.io.network.partition.ResultPartition;
import org.apache.flink.runtime.io.network.partition.ResultPartitionBuilder;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.ResultPartitionType;
import org.apache.flink.runtime.io.network.partition.consumer.InputGate;
import org.apache.flink.runtime.io.network.partition.consumer.SingleInputGate;
import org.apache.flink.runtime.io.network.partition.consumer.SingleInputGateBuilder;
import org.apache.flink.runtime.jobgraph.IntermediateDataSetID;
import org.apache.flink.runtime.metrics.groups.TaskMetricGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.apache.flink.runtime.shuffle.ShuffleDescriptor;
import org.apache.flink.runtime.taskmanager.TaskManagerLocation;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.runtime.util.NettyShuffleDescriptorBuilder;

/**
 * Flink's record writers, shuffle environments and input gates over TCP, set up as in Flink's own
 * network benchmark (default buffer sizes, credit-based flow control, flush every 100 ms; flush per
 * record where latency is measured), with one reading thread per consumer.
 */
public final class FlinkSystem implements MessageSystem {
  private static final String NO_NATIVE =
      "org.apache.flink.shaded.netty4.io.netty.transport.noNative";
  private static final int BUFFERS = 2048;
  private static final int FLUSH_MILLIS = 100;
  private static final int FLUSH_EACH_RECORD = 0;

  private final Configuration configuration = new Configuration();
  private final int flushMillis;
  private NettyShuffleEnvironment senders;
  private NettyShuffleEnvironment receivers;
  private ResultPartition[] partitions;
  private Workload workload;
  private Sinks sinks;

  public FlinkSystem(Parameters parameters) {
    // Flink takes epoll where it can; its shaded Netty leaves it alone when told so.
    System.setProperty(
        NO_NATIVE, String.valueOf(parameters.get("transport", "epoll").equals("nio")));
    flushMillis = parameters.getInt("flush", FLUSH_MILLIS);
  }

  /** Remembers where records go: Flink's receivers dial the senders, so nothing can listen yet. */
  @Override
  public String listen(Workload workload, Sinks sinks) {
    if (workload.processes() > 1) {
      throw new UnsupportedOperationException("the Flink peer runs in one JVM");
    }
    this.sinks = sinks;
    return "in this JVM";
  }

  @Override
  public void connect(Workload workload, String endpoint) throws Exception {
    this.workload = workload;
    senders = environment();
    receivers = environment();
    int port = senders.start();
    receivers.start();
    partitions = new ResultPartition[workload.producers()];
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = newPartition();
    }
    for (int consumer = 0; consumer < workload.consumers(); consumer++) {
      InputGate gate = newGate(consumer, port);
      RecordSink sink = sinks.sink(consumer);
      Thread thread = new Thread(() -> receive(gate, sink), "bench-consumer-" + consumer);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private NettyShuffleEnvironment environment() {
    int pageSize = (int) configuration.get(TaskManagerOptions.MEMORY_SEGMENT_SIZE).getBytes();
    NettyConfig netty =
        new NettyConfig(
            InetAddress.getLoopbackAddress(),
            0,
            pageSize,
            configuration.get(TaskManagerOptions.NUM_TASK_SLOTS),
            configuration);
    return new NettyShuffleEnvironmentBuilder()
        .setNumNetworkBuffers(BUFFERS)
        .setBufferSize(pageSize)
        .setNettyConfig(netty)
        .build();
  }

  private ResultPartition newPartition() throws IOException {
    ResultPartition partition =
        new ResultPartitionBuilder()
            .setResultPartitionId(new ResultPartitionID())
            .setResultPartitionType(ResultPartitionType.PIPELINED_BOUNDED)
            .setNumberOfSubpartitions(workload.consumers())
            .setResultPartitionManager(senders.getResultPartitionManager())
            .setupBufferPoolFactoryFromNettyShuffleEnvironment(senders)
            .build();
    partition.setup();
    return partition;
  }

  private InputGate newGate(int consumer, int port) throws IOException {
    TaskManagerLocation location =
        new TaskManagerLocation(ResourceID.generate(), InetAddress.getLoopbackAddress(), port);
    ShuffleDescriptorAndIndex[] sources = new ShuffleDescriptorAndIndex[partitions.length];
    for (int i = 0; i < sources.length; i++) {
      ShuffleDescriptor source =
          NettyShuffleDescriptorBuilder.newBuilder()
              .setId(partitions[i].getPartitionId())
              .setProducerInfoFromTaskManagerLocation(location)
              .setConnectionIndex(i)
              .buildRemote();
      sources[i] = new ShuffleDescriptorAndIndex(source, i);
    }
    InputGateDeploymentDescriptor descriptor =
        new InputGateDeploymentDescriptor(
            new IntermediateDataSetID(), ResultPartitionType.PIPELINED_BOUNDED, consumer, sources);
    TaskMetricGroup metrics = UnregisteredMetricGroups.createUnregisteredTaskMetricGroup();
    SingleInputGate gate =
        receivers
            .createInputGates(
                receivers.createShuffleIOOwnerContext(
                    "consumer-" + consumer, metrics.executionId(), metrics),
                SingleInputGateBuilder.NO_OP_PRODUCER_CHECKER,
                List.of(descriptor))
            .get(0);
    gate.setup();
    gate.finishReadRecoveredState();
    return gate;
  }

  private void receive(InputGate gate, RecordSink sink) {
    MutableRecordReader<FlinkRecord> reader =
        new MutableRecordReader<>(
            gate, new String[] {EnvironmentInformation.getTemporaryFileDirectory()});
    FlinkRecord record = new FlinkRecord(workload.recordSize());
    try {
      while (reader.next(record)) {
        sink.accept(workload.recordSize(), record.head());
      }
      sinks.ended(workload.producers());
    } catch (IOException | InterruptedException | RuntimeException e) {
      sinks.failed(e);
    }
  }

  @Override
  public Producer producer(int index) {
    RecordWriterBuilder<FlinkRecord> builder = new RecordWriterBuilder<>();
    builder.setTimeout(workload.paced() ? FLUSH_EACH_RECORD : flushMillis);
    return new FlinkProducer(builder.build(partitions[index]), partitions[index], workload);
  }

  @Override
  public String version() {
    return EnvironmentInformation.getVersion();
  }

  @Override
  public void close() {
    if (senders != null) {
      senders.close();
    }
    if (receivers != null) {
      receivers.close();
    }
  }
}
