package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.protocol.HandshakeConfig;
import java.util.ArrayList;
import java.util.List;

/** All that a seed decides before the run begins. */
final class Plan {
  final long seed;
  final Chance chance;
  final int nodes;
  final int lanes;
  final boolean secret;
  final boolean payloadCrcOff;

  /** Until when faults happen. */
  final long chaosUntil;

  final int heartbeatMillis;
  final long silence;
  final long window;
  final long openTimeout;
  final int maxFrameLength;
  final int maxChannels;
  final int maxWaiting;
  final int quantum;
  final long budgetBytes;
  final int budgetChannels;
  final long floatCap;
  final int assemblyBytes;
  final int logBytes;

  final int sendBuffer;
  final int receiveBuffer;
  final int latencyLow;
  final int latencyHigh;
  final int turnFrames;
  final int highWater;

  final boolean breaks;
  final boolean sharpBreaks;
  final boolean flips;
  final boolean stalls;
  final boolean pauses;
  final boolean restarts;
  final boolean drains;
  final boolean fences;
  final boolean dialFailures;
  final boolean lostEnds;
  final boolean lateBytes;
  final boolean hardBreaks;
  final boolean strangers;
  final int liar;
  final boolean fewNumbers;

  final List<ChannelPlan> channels = new ArrayList<>();

  Plan(long seed) {
    this.seed = seed;
    Chance c = new Chance(seed);
    nodes = c.percent(60) ? 2 : c.between(3, 4);
    lanes = c.percent(60) ? 1 : c.between(2, 4);
    secret = c.percent(80);
    payloadCrcOff = c.percent(10);
    chaosUntil = c.millis(500, 20_000);
    heartbeatMillis = c.pick(500, 1_000, 2_000);
    silence = 3L * heartbeatMillis * Chance.MILLIS;
    window = c.millis(3_000, 20_000);
    openTimeout = c.millis(2_000, 12_000);
    boolean busy = c.percent(12);
    maxFrameLength =
        busy
            ? HandshakeConfig.MIN_FRAME_LENGTH
            : c.pick(HandshakeConfig.MIN_FRAME_LENGTH, 8 * 1024, 16 * 1024, 64 * 1024);
    int count = c.percent(25) ? 1 : c.percent(60) ? c.between(2, 10) : c.between(11, 64);
    maxChannels = c.percent(90) ? 200 : Math.max(2, count / 2);
    maxWaiting = c.percent(90) ? 200 : 2;
    quantum = busy ? 1_024 : c.pick(1_024, 4_096, 16_384, 65_536);
    budgetChannels = c.pick(count + 8, 2 * count + 8, 200);
    budgetBytes =
        c.percent(5)
            ? 2_048L * Math.max(1, count / 2)
            : Math.max(c.pick(32, 128, 512, 4_096) * 1024L, 2_100L * (count + 8));
    floatCap = busy ? 1024 * 1024 : c.pick(64, 4 * 1024, 64 * 1024, 1024 * 1024);
    assemblyBytes = (c.percent(60) ? 1 : 3) * (Content.LARGEST + 8);
    logBytes = busy ? 256 * 1024 : c.pick(2 * 1024, 16 * 1024, 256 * 1024);
    sendBuffer = c.pick(300, 2_000, 16_000, 200_000);
    receiveBuffer = c.pick(300, 2_000, 16_000, 200_000);
    latencyLow = c.pick(10, 100, 1_000);
    latencyHigh = latencyLow * c.pick(1, 4, 30);
    turnFrames = busy ? 32 : c.pick(1, 2, 8, 32);
    highWater = busy ? 64 * 1024 : c.pick(1, 4 * 1024, 64 * 1024);
    boolean calm = c.percent(10);
    breaks = !calm && c.percent(60);
    sharpBreaks = breaks && c.percent(50);
    flips = !calm && !payloadCrcOff && c.percent(25);
    stalls = !calm && c.percent(30);
    pauses = !calm && c.percent(25);
    restarts = !calm && c.percent(20);
    drains = !calm && c.percent(15);
    fences = !calm && c.percent(30);
    dialFailures = !calm && c.percent(30);
    lostEnds = !calm && c.percent(40);
    lateBytes = !calm && c.percent(50);
    hardBreaks = !calm && c.percent(8);
    strangers = !calm && c.percent(20);
    liar = !calm && nodes > 2 && c.percent(40) ? nodes - 1 : -1;
    fewNumbers = !calm && c.percent(10);
    planChannels(c, count, busy);
    chance = c.split();
  }

  private void planChannels(Chance c, int count, boolean busy) {
    int totalBytes = 600_000;
    for (int i = 0; i < count; i++) {
      ChannelPlan plan = new ChannelPlan();
      plan.producerNode = c.below(nodes);
      plan.consumerNode = (plan.producerNode + c.between(1, nodes - 1)) % nodes;
      plan.producerOpens = c.percent(35);
      plan.key = new ChannelKey(c.below(3), i, c.below(4), c.percent(90) ? 0 : c.between(1, 3));
      plan.producerAt = c.between(0, chaosUntil / 3);
      plan.consumerAt = c.between(0, chaosUntil / 3);
      if (c.percent(6)) {
        if (c.percent(50)) {
          plan.producerAt = ChannelPlan.NEVER_COMES;
        } else {
          plan.consumerAt = ChannelPlan.NEVER_COMES;
        }
      }
      plan.sizes =
          c.percent(busy ? 20 : 50)
              ? Content.Sizes.TINY
              : c.percent(75) ? Content.Sizes.MIXED : Content.Sizes.LARGE;
      int average =
          switch (plan.sizes) {
            case TINY -> 34;
            case MIXED -> 1_000;
            case LARGE -> 7_000;
          };
      plan.records = c.percent(5) ? 0 : c.between(1, Math.max(1, 2 * totalBytes / count / average));
      plan.records = Math.min(plan.records, 400);
      plan.content = new Content(c.number(), plan.sizes, c.percent(50) ? c.between(2, 20) : 0);
      plan.burst = c.pick(1, 3, 20, 1_000);
      plan.interval =
          c.between(10 * Chance.MICROS, chaosUntil / Math.max(1, plan.records / plan.burst));
      planTempers(c, plan);
      channels.add(plan);
    }
    planBarriers(c);
    planRelays(c);
  }

  private void planTempers(Chance c, ChannelPlan plan) {
    plan.ending =
        c.percent(70)
            ? ChannelPlan.Ending.FINISH
            : c.percent(40)
                ? ChannelPlan.Ending.FINISH_WITH_DEADLINE
                : c.percent(70) ? ChannelPlan.Ending.ABORT : ChannelPlan.Ending.NONE;
    plan.endAfter =
        plan.ending == ChannelPlan.Ending.ABORT ? c.between(0, plan.records) : plan.records;
    int draw = c.below(100);
    plan.temper =
        draw < 25
            ? ChannelPlan.Temper.PROMPT
            : draw < 40
                ? ChannelPlan.Temper.SLOW
                : draw < 52
                    ? ChannelPlan.Temper.ON_LOOP
                    : draw < 67
                        ? ChannelPlan.Temper.ALIGN
                        : draw < 82
                            ? ChannelPlan.Temper.ASSEMBLE
                            : draw < 88
                                ? ChannelPlan.Temper.STOP
                                : draw < 93 ? ChannelPlan.Temper.FAIL : ChannelPlan.Temper.NEVER;
    if (plan.sizes == Content.Sizes.LARGE && c.percent(30)) {
      plan.temper = ChannelPlan.Temper.ASSEMBLE;
    }
    if (plan.temper == ChannelPlan.Temper.ALIGN && plan.sizes != Content.Sizes.TINY) {
      // Holding a record while waiting for one that needs its memory is the application's deadlock.
      plan.temper = ChannelPlan.Temper.PROMPT;
    }
    plan.temperAfter = c.between(0, plan.records);
    plan.pollDelay =
        plan.temper == ChannelPlan.Temper.SLOW
            ? c.between(Chance.MILLIS, chaosUntil / (plan.records + 1) + 2 * Chance.MILLIS)
            : c.between(Chance.MICROS, 2 * Chance.MILLIS);
    plan.frameGranular = c.percent(40);
  }

  /** One thread at a node takes several channels, and aligns them at their events. */
  private void planBarriers(Chance c) {
    if (channels.size() < 3 || !c.percent(25)) {
      return;
    }
    int node = c.below(nodes);
    int events = c.between(2, 10);
    int records = events * c.between(1, 5);
    for (ChannelPlan plan : channels) {
      if (plan.consumerNode == node && plan.temper != ChannelPlan.Temper.NEVER && c.percent(60)) {
        plan.temper = ChannelPlan.Temper.BARRIER;
        plan.content = new Content(c.number(), Content.Sizes.TINY, events);
        plan.records = records;
        plan.endAfter = records;
        plan.ending = ChannelPlan.Ending.FINISH;
        plan.burst = c.pick(1, 1_000);
      }
    }
  }

  /** Two channels in a circle: what comes out of the one goes into the other, and back. */
  private void planRelays(Chance c) {
    if (channels.size() < 2 || !c.percent(25)) {
      return;
    }
    ChannelPlan there = channels.get(0);
    ChannelPlan back = channels.get(1);
    int records = c.between(2, 60);
    for (ChannelPlan plan : List.of(there, back)) {
      plan.content = new Content(c.number(), Content.Sizes.TINY, 0);
      plan.records = records;
      plan.endAfter = records;
      plan.ending = ChannelPlan.Ending.FINISH;
      plan.temper = ChannelPlan.Temper.RELAY;
      plan.relayed = true;
      plan.producerAt = Math.max(0, plan.producerAt);
      plan.consumerAt = Math.max(0, plan.consumerAt);
    }
    back.producerNode = there.consumerNode;
    back.consumerNode = there.producerNode;
    there.relayTo = back;
    back.relayTo = there;
    // Together they fit into the floor of one channel.
    there.initialRecords = Math.min(records, c.between(1, 8));
  }
}
