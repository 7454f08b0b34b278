package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.protocol.Binding;
import dev.penstock.transport.protocol.CreditShare;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.protocol.ReceiveFlow;
import dev.penstock.transport.protocol.ReceiveListener;
import dev.penstock.transport.wire.Role;

/** The receiving end: a queue of frames, and an application that takes records from it. */
final class SimConsumer extends SimEnd implements ReceiveListener, CreditShare.Listener {
  private final Intake intake;
  private CreditShare share;
  private ReceiveFlow flow;
  private boolean pollScheduled;
  private boolean attention;
  private boolean cleaning;

  /** What the application has published, for the loop to see. */
  private long consumed;

  private long taken;

  /** What the loop asked to be told of. */
  private long notifyAt = Lane.NEVER;

  private long finalAt = Lane.NEVER;
  private boolean senderStarved;
  private ErrorCode fault;
  private String faultText = "";

  SimConsumer(World world, SimNode node, SimChannel channel) {
    super(world, node, channel);
    intake = new Intake(world, this);
  }

  @Override
  Role role() {
    return Role.RECEIVER;
  }

  @Override
  boolean opens() {
    return !plan.producerOpens;
  }

  @Override
  int peer() {
    return plan.producerNode;
  }

  ReceiveFlow flow() {
    return flow;
  }

  CreditShare share() {
    return share;
  }

  Intake intake() {
    return intake;
  }

  /** Bytes of memory that the end holds. */
  long held() {
    return intake.received() - consumed;
  }

  long consumedSoFar() {
    return consumed;
  }

  long takenSoFar() {
    return taken;
  }

  // --- The gate

  @Override
  boolean reserve() {
    share = node.budget().register(this);
    return share != null;
  }

  @Override
  Binding binding() {
    return new Binding.Receive(share, this);
  }

  @Override
  void unreserve() {
    if (share != null) {
      node.budget().unregister(share);
      node.discharged(this);
      share = null;
    }
  }

  @Override
  Flow openOn(SimLane on, Binding binding, long deadline) {
    return on.core().openReceive(key(), (Binding.Receive) binding, deadline);
  }

  @Override
  void onAttached(SimLane on, Flow attached) {
    flow = (ReceiveFlow) attached;
    on.touch(this);
  }

  @Override
  void giveUp(SimLane on, ErrorCode why, String because) {
    world.covers(why == ErrorCode.STOPPED ? Row.RECEIVE_STOP : Row.RECEIVE_ERROR);
    on.core().stop(flow, why, because);
  }

  // --- ReceiveListener, on the loop

  @Override
  public void onOpened(ReceiveFlow opened) {
    flow = opened;
    touch();
  }

  @Override
  public void onData(
      ReceiveFlow from,
      long position,
      long sequence,
      int messages,
      int flags,
      int length,
      int payloadCrc) {
    if (isOver()) {
      throw new SimFailure(this + " got data after its end");
    }
    intake.add(lane().wire().payload(length), position, sequence, messages, flags, payloadCrc);
    touch();
    if (plan.temper == ChannelPlan.Temper.ON_LOOP) {
      work(Integer.MAX_VALUE);
    } else {
      schedulePoll();
      node.applications().mayOvertake();
    }
  }

  @Override
  public void onStarved(ReceiveFlow starved) {
    touch();
  }

  @Override
  public void onEnd(ReceiveFlow ended) {
    finalAt = ended.finalPosition();
    touch();
    schedulePoll();
    node.applications().mayOvertake();
  }

  private void touch() {
    if (lane() != null) {
      lane().touch(this);
    }
  }

  @Override
  public void onTerminated(ReceiveFlow ended, Outcome outcome, ErrorCode code, String text) {
    flow = ended;
    if (code == ErrorCode.SESSION_LOST && text.contains("no longer knows the channel")) {
      world.covers(Row.LANE_UNRESTATED);
      world.covers(Rule.R8_UNRESTATED_FAILED);
    }
    terminated(outcome, code, text);
  }

  @Override
  void onOver() {
    if (plan.temper == ChannelPlan.Temper.BARRIER) {
      world.barrier(node).left(this);
    }
    SimProducer target = relayTarget();
    if (target != null && outcome() != Outcome.FINISHED) {
      target.cancel(ErrorCode.APPLICATION_ERROR, "the channel before it broke");
    }
    if (flow == null) {
      return;
    }
    if (held() > 0) {
      world.covers(Rule.R5_MEMORY_HELD_BEYOND_THE_END);
    }
    // The queue is dropped, and what the application holds comes back a little later.
    world
        .agenda()
        .after(
            world.chance().micros(0, 2_000),
            node,
            () -> {
              intake.drop();
              consumed = intake.received();
              node.onLane(
                  lane(),
                  on -> {
                    on.core().consumed(flow, consumed);
                    node.discharged(this);
                  });
            });
  }

  @Override
  public void onFloatAvailable(CreditShare waited) {
    if (lane() != null && flow != null) {
      node.onLane(lane(), on -> on.core().floatAvailable(flow));
    }
  }

  // --- For the lane's turns

  /** Tells the core what the application has done. */
  void apply(Lane core) {
    attention = false;
    node.applications().mayOvertake();
    if (flow == null || isOver()) {
      return;
    }
    if (fault != null) {
      world.covers(fault == ErrorCode.STOPPED ? Row.RECEIVE_STOP : Row.RECEIVE_ERROR);
      core.stop(flow, fault, faultText);
      return;
    }
    node.applications().mayOvertake();
    if (consumed > flow.consumed()) {
      world.covers(Row.RECEIVE_CONSUMED);
      core.consumed(flow, consumed);
    }
    if (senderStarved && intake.isCaughtUp()) {
      core.caughtUp(flow, consumed);
    }
    if (finalAt != Lane.NEVER) {
      core.taken(flow, taken);
    }
  }

  /** Asks to be told when it matters; returns true if it mattered already and the core was told. */
  boolean settle(Lane core) {
    if (flow == null || isOver()) {
      return false;
    }
    boolean told = false;
    while (true) {
      notifyAt = flow.notifyAt();
      boolean wasStarved = senderStarved;
      senderStarved = flow.senderStarved();
      node.applications().mayOvertake();
      boolean nowCaughtUp = senderStarved && !wasStarved && intake.isCaughtUp();
      if (consumed < notifyAt && !nowCaughtUp && fault == null) {
        return told;
      }
      long before = flow.consumed();
      apply(core);
      told = true;
      if (isOver() || (flow.consumed() == before && !nowCaughtUp)) {
        return told;
      }
    }
  }

  // --- The application

  void schedulePoll() {
    if (pollScheduled || (isOver() && !cleaning)) {
      return;
    }
    if (plan.temper == ChannelPlan.Temper.NEVER && !cleaning) {
      return;
    }
    pollScheduled = true;
    node.applications().after(plan.pollDelay, this::poll);
  }

  private void poll() {
    pollScheduled = false;
    if (isOver()) {
      return;
    }
    int most =
        switch (plan.temper) {
          case SLOW -> 1;
          case RELAY, BARRIER -> 3;
          default -> world.chance().oneIn(3) ? world.chance().between(1, 5) : Integer.MAX_VALUE;
        };
    if (work(most)) {
      schedulePoll();
    }
  }

  /** Takes records; returns whether to come again without being called. */
  private boolean work(int most) {
    boolean more = true;
    for (int i = 0; i < most && fault == null && (more = mayTake() && intake.takeOne()); i++) {
      afterTaking();
    }
    publish();
    return fault == null && more;
  }

  /** Who sends on what is taken; null when the process has forgotten it. */
  private SimProducer relayTarget() {
    SimProducer target = plan.relayTo == null ? null : world.producerOf(plan.relayTo);
    return target == null || target.node != node ? null : target;
  }

  private boolean mayTake() {
    if (plan.temper == ChannelPlan.Temper.RELAY) {
      SimProducer target = relayTarget();
      return plan.relayTo == null || (target != null && target.canRelay());
    }
    if (plan.temper == ChannelPlan.Temper.BARRIER) {
      return world.barrier(node).mayTake(this);
    }
    return true;
  }

  private void afterTaking() {
    long records = intake.recordsTaken();
    if (plan.temper == ChannelPlan.Temper.STOP && records >= plan.temperAfter) {
      fail(ErrorCode.STOPPED, "the consumer has enough");
    } else if (plan.temper == ChannelPlan.Temper.FAIL && records >= plan.temperAfter) {
      fail(ErrorCode.APPLICATION_ERROR, "the consumer's code failed");
    }
  }

  /** A whole record was taken. */
  void took(long sequence) {
    if (plan.content.isEvent(sequence)) {
      world.covers(Rule.R15_EVENT_IN_ORDER);
    }
    if (plan.temper == ChannelPlan.Temper.RELAY) {
      SimProducer target = relayTarget();
      if (target != null) {
        target.relay();
      }
    } else if (plan.temper == ChannelPlan.Temper.BARRIER && plan.content.isEvent(sequence)) {
      world.barrier(node).arrived(this);
    }
  }

  void fail(ErrorCode code, String text) {
    if (fault == null) {
      fault = code;
      faultText = text;
    }
  }

  void assemblyGranted() {
    intake.granted();
    schedulePoll();
  }

  private void publish() {
    long back = intake.givenBack(finalAt);
    if (back < consumed) {
      throw new SimFailure(this + " took memory back that it had given back");
    }
    consumed = back;
    taken = intake.taken();
    boolean matters =
        consumed >= notifyAt
            || taken >= finalAt
            || fault != null
            || (senderStarved && intake.isCaughtUp());
    if (matters && !attention && flow != null && !isOver()) {
      attention = true;
      node.onLane(
          lane(),
          on -> {
            on.touch(this);
          });
    }
  }

  /** Faults are over: who never polled does now, or gives up. */
  void cleanUp() {
    cleaning = true;
    if (world.chance().oneIn(2)) {
      cancel(ErrorCode.STOPPED, "the consumer never wanted it");
    } else {
      schedulePoll();
    }
  }
}
