package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.LaneConfig;
import dev.penstock.transport.protocol.NodeIdentity;
import dev.penstock.transport.protocol.SharedSecret;
import dev.penstock.transport.wire.WireCodec;
import dev.penstock.transport.wire.WireLimits;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** One run: nodes, network, applications, faults, and the clock that they share. */
final class World {
  private static final long HANDSHAKE_DEADLINE = 5_000 * Chance.MILLIS;

  private final Plan plan;
  private final WireCodec codec;
  private final Agenda agenda = new Agenda();
  private final Trace trace;
  private final Coverage coverage = new Coverage();
  private final Chance chance;
  private final SharedSecret secret;
  private final SimNode[] nodes;
  private final List<SimChannel> channels = new ArrayList<>();
  private final List<SimChannel> live = new ArrayList<>();
  private final IdentityHashMap<ChannelPlan, SimChannel> byPlan = new IdentityHashMap<>();
  private final IdentityHashMap<SimNode, Barrier> barriers = new IdentityHashMap<>();
  private final List<Connection> connections = new ArrayList<>();
  private boolean chaos = true;
  private boolean someEnded;
  private final List<NodeIdentity> identities = new ArrayList<>();

  World(long seed, WireCodec codec, boolean recording) {
    this.plan = new Plan(seed);
    this.codec = codec;
    this.trace = new Trace(recording);
    this.chance = plan.chance.split();
    byte[] key = new byte[SharedSecret.MIN_BYTES];
    chance.fill(key);
    this.secret = plan.secret ? SharedSecret.of(key) : SharedSecret.NONE;
    this.nodes = new SimNode[plan.nodes];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new SimNode(this, i, i == plan.liar);
      identities.add(nodes[i].identity());
    }
    for (ChannelPlan channel : plan.channels) {
      begin(channel, channel.producerAt, channel.consumerAt);
    }
    new Faults(this).plan();
  }

  Plan plan() {
    return plan;
  }

  WireCodec codec() {
    return codec;
  }

  Agenda agenda() {
    return agenda;
  }

  Trace trace() {
    return trace;
  }

  Coverage coverage() {
    return coverage;
  }

  Chance chance() {
    return chance;
  }

  SharedSecret secret() {
    return secret;
  }

  boolean chaos() {
    return chaos;
  }

  void endChaos() {
    chaos = false;
    for (SimNode node : nodes) {
      node.pause(-1);
    }
  }

  long handshakeDeadline() {
    return HANDSHAKE_DEADLINE;
  }

  void covers(Row row) {
    coverage.hit(row);
  }

  void covers(Rule rule) {
    coverage.hit(rule);
  }

  void covers(ErrorCode code) {
    coverage.hit(code);
  }

  LaneConfig laneConfig(boolean dialer) {
    return new LaneConfig(
        dialer,
        plan.heartbeatMillis * Chance.MILLIS,
        plan.silence,
        plan.window,
        plan.openTimeout,
        plan.maxChannels,
        plan.maxWaiting,
        plan.quantum,
        plan.maxFrameLength - WireLimits.MAX_HEADER_BYTES);
  }

  // --- Nodes

  SimNode node(int address) {
    return nodes[address];
  }

  SimNode[] nodes() {
    return nodes;
  }

  int addressOf(NodeIdentity identity) {
    for (SimNode node : nodes) {
      if (node.identity().sameNode(identity)) {
        return node.address();
      }
    }
    return -1;
  }

  /** Whether somebody is, or was, one of the nodes. */
  boolean wasNode(NodeIdentity identity) {
    return identities.stream().anyMatch(identity::sameNode);
  }

  void restarted(int address) {
    nodes[address] = new SimNode(this, address, address == plan.liar);
    identities.add(nodes[address].identity());
  }

  Barrier barrier(SimNode node) {
    return barriers.computeIfAbsent(node, any -> new Barrier());
  }

  void connected(Connection connection) {
    connections.add(connection);
  }

  List<Connection> connections() {
    connections.removeIf(each -> each.dialer().isClosed() && each.acceptor().isClosed());
    return connections;
  }

  boolean facesLiar(ChannelPlan channel) {
    return channel.producerNode == plan.liar || channel.consumerNode == plan.liar;
  }

  // --- Channels

  List<SimChannel> channels() {
    return channels;
  }

  /** Channels of which an end has not ended. */
  List<SimChannel> live() {
    if (someEnded) {
      someEnded = false;
      live.removeIf(SimChannel::isOver);
    }
    return live;
  }

  void someEnded() {
    someEnded = true;
  }

  /** Gates of a channel come at their times. */
  void begin(ChannelPlan channelPlan, long producerAt, long consumerAt) {
    SimChannel channel = new SimChannel(channelPlan);
    channels.add(channel);
    byPlan.put(channelPlan, channel);
    if (producerAt != ChannelPlan.NEVER_COMES) {
      agenda.at(producerAt, null, () -> produces(channel));
    }
    if (consumerAt != ChannelPlan.NEVER_COMES) {
      agenda.at(consumerAt, null, () -> consumes(channel));
    }
  }

  private void produces(SimChannel channel) {
    SimNode node = nodes[channel.plan.producerNode];
    if (node.isAlive()) {
      SimProducer producer = new SimProducer(this, node, channel);
      channel.producer(producer);
      see(channel);
      node.register(producer);
      if (!producer.isOver()) {
        producer.start();
        relayWakes(channel.plan);
        endIfFeederIsOver(channel);
      }
    }
  }

  private void consumes(SimChannel channel) {
    SimNode node = nodes[channel.plan.consumerNode];
    if (node.isAlive()) {
      SimConsumer consumer = new SimConsumer(this, node, channel);
      channel.consumer(consumer);
      see(channel);
      if (channel.plan.temper == ChannelPlan.Temper.BARRIER) {
        barrier(node).join(consumer);
      }
      node.register(consumer);
    }
  }

  private void see(SimChannel channel) {
    if (!live.contains(channel)) {
      live.add(channel);
    }
  }

  SimProducer producerOf(ChannelPlan channelPlan) {
    return byPlan.get(channelPlan).producer();
  }

  /** Whether nobody hands anything to a relay's producer, because a process was not there. */
  boolean feederIsMissing(ChannelPlan target) {
    for (SimChannel channel : channels) {
      if (channel.plan.relayTo == target && channel.consumer() == null) {
        return true;
      }
    }
    return false;
  }

  private void endIfFeederIsOver(SimChannel target) {
    for (SimChannel channel : channels) {
      SimConsumer feeder = channel.consumer();
      if (channel.plan.relayTo == target.plan && feeder != null && feeder.isOver()) {
        target.producer().cancel(ErrorCode.APPLICATION_ERROR, "the channel before it broke");
      }
    }
  }

  /** A relay's target has room. */
  void relayWakes(ChannelPlan target) {
    for (SimChannel channel : target.relayed ? live : List.<SimChannel>of()) {
      if (channel.plan.relayTo == target && channel.consumer() != null) {
        channel.consumer().schedulePoll();
      }
    }
  }
}
