package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.protocol.HandshakeConfig;
import dev.penstock.transport.wire.Record;
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

  /** Memory for messages that are to be whole: little more than the longest of them needs. */
  final int assemblyBytes;

  /** How long an application has such a message at most. */
  final int keepMillis;

  final int logBytes;

  final int sendBuffer;
  final int receiveBuffer;
  final int latencyLow;
  final int latencyHigh;
  final int turnFrames;

  /** One in how many looks of the core an application thread overtakes; 0 for never. */
  final int overtaking;

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
  final boolean slowReads;
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
    maxChannels = c.percent(85) ? 200 : Math.max(2, count / 2);
    maxWaiting = c.percent(85) ? 200 : 2;
    quantum = busy ? 1_024 : c.pick(1_024, 4_096, 16_384, 65_536);
    // Floors of hardly more than 1 KiB, and next to nothing that floats.
    boolean tight = !busy && c.percent(20);
    boolean crowded = !tight && count > 1 && c.percent(25);
    budgetChannels = c.pick(count + 8, 2 * count + 8, 200);
    budgetBytes =
        c.percent(9)
            ? 2_048L * Math.max(1, count / 2)
            : tight
                ? 2_100L * budgetChannels
                : Math.max(c.pick(32, 128, 512, 4_096) * 1024L, 2_100L * (count + 8));
    floatCap = busy ? 1024 * 1024 : tight ? 64 : c.pick(64, 4 * 1024, 64 * 1024, 1024 * 1024);
    keepMillis = c.pick(20, 100, 1_000);
    logBytes = busy ? 256 * 1024 : c.pick(2 * 1024, 16 * 1024, 256 * 1024);
    sendBuffer = c.pick(300, 2_000, 16_000, 200_000);
    receiveBuffer = c.pick(300, 2_000, 16_000, 200_000);
    latencyLow = c.pick(10, 100, 1_000);
    latencyHigh = latencyLow * c.pick(1, 4, 30);
    turnFrames = busy ? 32 : c.pick(1, 2, 8, 32);
    highWater = busy ? 64 * 1024 : c.pick(1, 4 * 1024, 64 * 1024);
    overtaking = c.pick(0, 3, 15, 100);
    boolean calm = c.percent(10);
    breaks = !calm && c.percent(60);
    sharpBreaks = breaks && c.percent(70);
    flips = !calm && !payloadCrcOff && c.percent(25);
    stalls = !calm && c.percent(30);
    pauses = !calm && c.percent(25);
    restarts = !calm && c.percent(20);
    drains = !calm && c.percent(15);
    fences = !calm && c.percent(30);
    dialFailures = !calm && c.percent(30);
    lostEnds = !calm && c.percent(40);
    lateBytes = !calm && c.percent(50);
    hardBreaks = !calm && c.percent(18);
    strangers = !calm && c.percent(45);
    slowReads = !calm && c.percent(25);
    liar = !calm && nodes > 2 && c.percent(60) ? nodes - 1 : -1;
    fewNumbers = !calm && c.percent(10);
    planChannels(c, count, busy);
    if (tight) {
      planStarving(c);
    } else if (crowded) {
      planAssembling(c);
    }
    assemblyBytes = (c.percent(70) ? 1 : 3) * (longestAssembled() + c.between(0, 1_000));
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
    int end = c.below(100);
    plan.ending =
        end < 65
            ? ChannelPlan.Ending.FINISH
            : end < 77
                ? ChannelPlan.Ending.FINISH_WITH_DEADLINE
                : end < 86
                    ? ChannelPlan.Ending.FINISH_THEN_ABORT
                    : end < 95 ? ChannelPlan.Ending.ABORT : ChannelPlan.Ending.NONE;
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

  /**
   * Consumers that keep a record until they have the next one, and producers that always have more
   * than the floor: what the one gives back is less than the other waits for.
   */
  private void planStarving(Chance c) {
    for (ChannelPlan plan : channels) {
      if (plan.relayTo == null && plan.temper != ChannelPlan.Temper.BARRIER && c.percent(60)) {
        plan.sizes = Content.Sizes.TINY;
        plan.content = new Content(c.number(), Content.Sizes.TINY, 0);
        plan.temper = ChannelPlan.Temper.ALIGN;
        plan.records = c.between(100, 400);
        plan.endAfter = plan.records;
        plan.ending = ChannelPlan.Ending.FINISH;
        plan.burst = 1_000;
        plan.frameGranular = false;
      }
    }
  }

  /** Many long messages to be put together at one node at one time. */
  private void planAssembling(Chance c) {
    int node = c.below(nodes);
    for (ChannelPlan plan : channels) {
      if (plan.consumerNode == node
          && plan.relayTo == null
          && plan.temper != ChannelPlan.Temper.BARRIER
          && c.percent(60)) {
        plan.sizes = Content.Sizes.LARGE;
        plan.content = new Content(c.number(), Content.Sizes.LARGE, 0);
        plan.temper = ChannelPlan.Temper.ASSEMBLE;
        plan.records = c.between(3, 12);
        plan.endAfter = plan.records;
        plan.ending = ChannelPlan.Ending.FINISH;
        plan.burst = 1_000;
      }
    }
  }

  private int longestAssembled() {
    int longest = 1_000;
    for (ChannelPlan plan : channels) {
      if (plan.temper == ChannelPlan.Temper.ASSEMBLE) {
        longest = Math.max(longest, plan.content.longest(plan.records));
      }
    }
    return longest + Record.HEAD_BYTES;
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
