package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ChannelKey;

/** What is to become of one channel. */
final class ChannelPlan {
  /** How the producer ends it. */
  enum Ending {
    FINISH,
    FINISH_WITH_DEADLINE,
    /** Finishes, and gives up before that is confirmed. */
    FINISH_THEN_ABORT,
    ABORT,
    /** The application forgets about it. */
    NONE
  }

  /** What the consumer is like. */
  enum Temper {
    PROMPT,
    SLOW,
    /** Works on the event loop. */
    ON_LOOP,
    /** Keeps each record until the next one has come. */
    ALIGN,
    /** Wants messages whole. */
    ASSEMBLE,
    /** Has enough after a while. */
    STOP,
    /** Its code fails after a while. */
    FAIL,
    /** Does not poll before it is told to clean up. */
    NEVER,
    /** One thread over many channels, which waits at events until all have come to theirs. */
    BARRIER,
    /** Hands each record on to another channel, and takes none that it cannot hand on. */
    RELAY
  }

  ChannelKey key;
  int producerNode;
  int consumerNode;
  boolean producerOpens;

  /** When the gates come; {@link #NEVER_COMES} for not at all. */
  long producerAt;

  long consumerAt;
  Content.Sizes sizes;
  Content content;
  int records;
  int burst;
  long interval;
  Ending ending;
  int endAfter;
  Temper temper;
  int temperAfter;
  long pollDelay;

  /** Memory goes back frame by frame, not record by record. */
  boolean frameGranular;

  /** The channel that records are handed on to, or null. */
  ChannelPlan relayTo;

  /** The producer commits only what a relay hands it. */
  boolean relayed;

  /** Records that a relayed producer commits by itself. */
  int initialRecords;

  static final long NEVER_COMES = -1;

  /** Whether everything of it ends by itself once faults have ended. */
  boolean cooperative() {
    return ending != Ending.NONE && temper != Temper.NEVER;
  }

  ChannelPlan nextAttempt() {
    ChannelPlan next = new ChannelPlan();
    next.key = new ChannelKey(key.exchange(), key.producer(), key.consumer(), key.attempt() + 1);
    next.producerNode = producerNode;
    next.consumerNode = consumerNode;
    next.producerOpens = producerOpens;
    next.sizes = sizes;
    next.content = content;
    next.records = records;
    next.burst = burst;
    next.interval = interval;
    next.ending = relayed ? Ending.FINISH : ending;
    next.endAfter = endAfter;
    next.temper = temper == Temper.RELAY || temper == Temper.BARRIER ? Temper.PROMPT : temper;
    next.temperAfter = temperAfter;
    next.pollDelay = pollDelay;
    next.frameGranular = frameGranular;
    return next;
  }
}
