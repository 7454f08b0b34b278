package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.protocol.Binding;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.protocol.ProtocolAccess;
import dev.penstock.transport.protocol.SendFlow;
import dev.penstock.transport.protocol.SendListener;
import dev.penstock.transport.wire.Role;

/** The sending end: an application that commits records, and its append log. */
final class SimProducer extends SimEnd implements SendListener {
  private final SimLog log;
  private SendFlow flow;
  private int committed;
  private boolean finishWanted;
  private boolean heldBack;

  /** Commits of which the loop may be about to be told. */
  private int signals;

  SimProducer(World world, SimNode node, SimChannel channel) {
    super(world, node, channel);
    log =
        new SimLog(
            world,
            node.applications(),
            world.plan().logBytes,
            !world.plan().payloadCrcOff,
            this::onRoom);
  }

  @Override
  Role role() {
    return Role.SENDER;
  }

  @Override
  boolean opens() {
    return plan.producerOpens;
  }

  @Override
  int peer() {
    return plan.consumerNode;
  }

  @Override
  boolean reserve() {
    return true;
  }

  SendFlow flow() {
    return flow;
  }

  SimLog log() {
    return log;
  }

  int committed() {
    return committed;
  }

  boolean isStreaming() {
    return flow != null
        && (flow.state() == SendFlow.State.OPEN || flow.state() == SendFlow.State.FINISHING);
  }

  boolean finishWanted() {
    return finishWanted;
  }

  // --- The application

  void start() {
    if (!plan.relayed) {
      later(0, this::produce);
    } else {
      later(0, this::inject);
    }
  }

  private void later(long delay, Runnable action) {
    node.applications().after(delay, action);
  }

  private void produce() {
    if (isOver()) {
      return;
    }
    for (int i = 0; i < plan.burst && committed < plan.endAfter; i++) {
      if (!commitNext()) {
        world.covers(Rule.R6_PRODUCER_HELD_BACK);
        heldBack = true;
        return;
      }
    }
    if (committed < plan.endAfter) {
      later(plan.interval, this::produce);
    } else {
      end();
    }
  }

  /** The receiver has something: what waited for memory goes on. */
  private void onRoom() {
    if (heldBack) {
      heldBack = false;
      later(world.chance().micros(1, 300), this::produce);
    }
    if (plan.relayed) {
      world.relayWakes(plan);
    }
  }

  private void inject() {
    for (int i = 0; i < plan.initialRecords && !isOver(); i++) {
      commitNext();
    }
    endIfRelayed();
  }

  /** Whether the next record of a relay finds room. */
  boolean canRelay() {
    return isOver()
        || committed >= plan.records
        || log.hasRoom(plan.content.length(committed) + 4, plan.content.isEvent(committed));
  }

  void relay() {
    if (!isOver() && committed < plan.records) {
      commitNext();
      endIfRelayed();
    }
  }

  private void endIfRelayed() {
    if (committed >= plan.records) {
      end();
    }
  }

  private boolean commitNext() {
    byte[] record = plan.content.record(committed);
    boolean event = plan.content.isEvent(committed);
    if (world.chance().oneIn(50) && !fits(Content.LARGEST + 1)) {
      // Such an offer fails at once, and the channel goes on.
      world.covers(ErrorCode.MESSAGE_TOO_LARGE);
    }
    if (!log.hasRoom(record.length, event)) {
      if (event && !log.keepsEvent()) {
        throw new SimFailure(this + " has no room for an event");
      }
      return false;
    }
    log.commit(record, event);
    committed++;
    signals++;
    // Publishing and looking at the loop's flag are two steps.
    later(world.chance().oneIn(2) ? 0 : world.chance().micros(0, 30), this::signal);
    return true;
  }

  private static boolean fits(int length) {
    return length <= Content.LARGEST;
  }

  private void signal() {
    if (!isOver() && log.wakes() && flow != null) {
      node.onLane(
          lane(),
          lane -> {
            signals--;
            lane.core().committed(flow);
          });
    } else {
      signals--;
    }
  }

  private void end() {
    switch (plan.ending) {
      case FINISH, FINISH_WITH_DEADLINE -> finishSoon();
      case ABORT ->
          later(
              world.chance().micros(0, 5_000),
              () -> cancel(ErrorCode.CANCELLED, "the producer changed its mind"));
      case FINISH_THEN_ABORT -> {
        finishSoon();
        later(
            aboutOneAnswer(),
            () -> cancel(ErrorCode.CANCELLED, "the producer does not wait for the end"));
      }
      case NONE -> {}
    }
  }

  /** As long as it takes until a FINISH is confirmed, more or less. */
  private long aboutOneAnswer() {
    Plan all = world.plan();
    return world.chance().micros(2 * all.latencyLow, 4 * all.latencyHigh + 1_000);
  }

  private void finishSoon() {
    later(
        world.chance().micros(0, 500),
        () -> {
          finishWanted = true;
          if (flow != null && !isOver()) {
            node.onLane(lane(), this::finish);
          }
        });
  }

  private void finish(SimLane on) {
    long deadline =
        plan.ending == ChannelPlan.Ending.FINISH_WITH_DEADLINE
            ? world.agenda().now()
                + (world.chance().oneIn(2) ? aboutOneAnswer() : world.chance().millis(0, 4_000))
            : Lane.NEVER;
    world.covers(Row.SEND_FINISH);
    on.core().finish(flow, deadline);
  }

  // --- The gate

  @Override
  Binding binding() {
    return new Binding.Send(log, this);
  }

  @Override
  void unreserve() {}

  @Override
  Flow openOn(SimLane on, Binding binding, long deadline) {
    return on.core().openSend(key(), (Binding.Send) binding, deadline);
  }

  @Override
  void onAttached(SimLane on, Flow attached) {
    flow = (SendFlow) attached;
    if (finishWanted) {
      node.onLane(on, this::finish);
    }
  }

  @Override
  void giveUp(SimLane on, ErrorCode why, String because) {
    world.covers(Row.SEND_ABORT);
    on.core().abort(flow, why, because, world.agenda().now() + world.chance().millis(1, 3_000));
  }

  @Override
  void onOver() {}

  @Override
  public void onOpened(SendFlow opened) {}

  @Override
  public void onTerminated(SendFlow ended, Outcome outcome, ErrorCode code, String text) {
    flow = ended;
    if (!log.isReleased()) {
      throw new SimFailure(this + " is told of its end before its log is released");
    }
    if (outcome == Outcome.UNKNOWN) {
      world.covers(Rule.R10_UNKNOWN);
      if (text.contains("finish()")) {
        world.covers(Row.SEND_FINISH_DEADLINE);
      } else if (ended.state() == SendFlow.State.ABORTING) {
        world.covers(Row.SEND_ABORTING_DEADLINE);
      }
    } else if (code == ErrorCode.DEADLINE_EXCEEDED && text.contains("did not come")) {
      world.covers(Row.SEND_OPEN_DEADLINE);
    } else if (code == ErrorCode.SESSION_LOST && text.contains("no longer knows the channel")) {
      world.covers(Row.LANE_UNRESTATED);
      world.covers(Rule.R8_UNRESTATED_FAILED);
    }
    terminated(outcome, code, text);
  }

  /** Whether something could be sent and nobody will. */
  boolean isForgotten() {
    return isStreaming()
        && signals == 0
        && lane().core().state() == Lane.State.UP
        && log.committed() > flow.sent()
        && !flow.starved()
        && !ProtocolAccess.isReady(flow);
  }

  /** Whether the log keeps it waiting. */
  boolean isHeldBack() {
    return heldBack;
  }
}
