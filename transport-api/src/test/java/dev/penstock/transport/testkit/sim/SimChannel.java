package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.Outcome;
import java.util.EnumSet;
import java.util.Set;

/** Both ends of a channel, as only the simulator sees them. */
final class SimChannel {
  final ChannelPlan plan;
  private SimProducer producer;
  private SimConsumer consumer;

  SimChannel(ChannelPlan plan) {
    this.plan = plan;
  }

  void producer(SimProducer end) {
    producer = end;
  }

  void consumer(SimConsumer end) {
    consumer = end;
  }

  SimProducer producer() {
    return producer;
  }

  SimConsumer consumer() {
    return consumer;
  }

  boolean concerns(Agenda.Host host) {
    return host == null
        || (producer != null && producer.node == host)
        || (consumer != null && consumer.node == host);
  }

  boolean isHonest() {
    return (producer == null || producer.isHonest()) && (consumer == null || consumer.isHonest());
  }

  boolean isOver() {
    return (producer == null || producer.isOver()) && (consumer == null || consumer.isOver());
  }

  /** Whether both ends are of one channel on one lane, so that what they say can be compared. */
  boolean isPaired() {
    return producer != null
        && consumer != null
        && producer.flow() != null
        && consumer.flow() != null
        && producer.flow().number() == consumer.flow().number()
        && producer.lane() != null
        && consumer.lane() != null
        && producer.lane().index() == consumer.lane().index()
        && producer.lane().session().known() != null
        && consumer.lane().session().known() != null
        && producer.lane().session().known().idLow() == consumer.lane().session().known().idLow();
  }

  /** An end has reported: do the two reports go together? */
  void ended(SimEnd end) {
    if (!isHonest() || !isPaired()) {
      // A twin of the same key may have been the other end.
      return;
    }
    Outcome sent = producer.outcome();
    Outcome got = consumer.outcome();
    if (sent == Outcome.FINISHED) {
      long all = producer.committed();
      if (consumer.intake().recordsTaken() != all) {
        throw new SimFailure(
            this
                + " finished, but "
                + consumer.intake().recordsTaken()
                + " of "
                + all
                + " records were taken");
      }
    }
    if (sent == null || got == null) {
      return;
    }
    if (!compatible(sent).contains(got)) {
      throw new SimFailure(
          this
              + " ended "
              + sent
              + " ("
              + producer.code()
              + " "
              + producer.text()
              + ") at the producer, "
              + got
              + " ("
              + consumer.code()
              + " "
              + consumer.text()
              + ") at the consumer");
    }
  }

  private static Set<Outcome> compatible(Outcome sent) {
    return switch (sent) {
      case FINISHED -> EnumSet.of(Outcome.FINISHED);
      case STOPPED -> EnumSet.of(Outcome.STOPPED);
      case ABORTED, FAILED -> EnumSet.complementOf(EnumSet.of(Outcome.FINISHED, Outcome.UNKNOWN));
      case UNKNOWN -> EnumSet.complementOf(EnumSet.of(Outcome.UNKNOWN));
    };
  }

  @Override
  public String toString() {
    return "channel " + plan.key;
  }
}
