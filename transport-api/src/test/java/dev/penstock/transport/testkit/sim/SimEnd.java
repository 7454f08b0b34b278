package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.protocol.Binding;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.wire.Role;

/** One end of a channel: a gate's, and the application's behind it. */
abstract class SimEnd {
  final World world;
  final SimNode node;
  final SimChannel channel;
  final ChannelPlan plan;

  private SimLane lane;
  private long openDeadline;
  private Outcome outcome;
  private ErrorCode code;
  private String text = "";
  private boolean vanished;

  /** A channel is being made for it: who gives it up now must wait until that is there. */
  private boolean bound;

  private ErrorCode cancelCode;
  private String cancelText = "";

  SimEnd(World world, SimNode node, SimChannel channel) {
    this.world = world;
    this.node = node;
    this.channel = channel;
    this.plan = channel.plan;
    this.openDeadline = world.agenda().now() + world.plan().openTimeout;
  }

  abstract Role role();

  abstract boolean opens();

  abstract int peer();

  /** Takes what the end needs of its node; false if there is none. */
  abstract boolean reserve();

  abstract Binding binding();

  /** It ends without a channel: what it took of its node goes back. */
  abstract void unreserve();

  abstract Flow openOn(SimLane on, Binding binding, long deadline);

  abstract void onAttached(SimLane on, Flow flow);

  abstract void giveUp(SimLane on, ErrorCode why, String because);

  abstract void onOver();

  ChannelKey key() {
    return plan.key;
  }

  SimLane lane() {
    return lane;
  }

  long openDeadline() {
    return openDeadline;
  }

  Outcome outcome() {
    return outcome;
  }

  ErrorCode code() {
    return code;
  }

  String text() {
    return text;
  }

  boolean isOver() {
    return outcome != null || vanished;
  }

  boolean isVanished() {
    return vanished;
  }

  /** Whether what it says can be relied on. */
  boolean isHonest() {
    return !node.isLiar() && !vanished;
  }

  final void attached(SimLane on, Flow flow) {
    if (lane != null || !flow.key().equals(key())) {
      throw new SimFailure(this + " was given channel " + flow.key() + ", had one: " + lane);
    }
    lane = on;
    onAttached(on, flow);
    if (cancelCode != null) {
      cancel(cancelCode, cancelText);
    }
  }

  /** A channel is to have the gate. */
  final Binding bind() {
    bound = true;
    return binding();
  }

  /** The channel that was to have the gate is gone. */
  final void unbind() {
    bound = false;
    if (cancelCode != null) {
      endUnbound(cancelCode, cancelText);
    }
  }

  final Flow open(SimLane on, long deadline) {
    Flow flow = openOn(on, bind(), deadline);
    if (flow == null) {
      unbind();
    }
    return flow;
  }

  /** A newer attempt has taken the gate's place. */
  void fence() {
    cancel(ErrorCode.FENCED, "a newer attempt is registered");
  }

  /** The application gives the end up. */
  void cancel(ErrorCode why, String because) {
    if (isOver()) {
      return;
    }
    if (lane == null && bound) {
      cancelCode = why;
      cancelText = because;
    } else if (lane == null) {
      endUnbound(why, because);
    } else {
      node.onLane(
          lane,
          on -> {
            if (!isOver()) {
              giveUp(on, why, because);
            }
          });
    }
  }

  /** It ends before a channel had it. */
  void endUnbound(ErrorCode why, String because) {
    if (!isOver() && lane == null && !bound) {
      unreserve();
      terminated(why == ErrorCode.STOPPED ? Outcome.STOPPED : Outcome.FAILED, why, because);
    }
  }

  final void terminated(Outcome how, ErrorCode why, String because) {
    world.trace().mix(how.name().hashCode());
    world
        .trace()
        .line(world.agenda().now(), () -> this + " ended " + how + " " + why + " " + because);
    if (outcome != null) {
      throw new SimFailure(this + " ended twice: " + outcome + ", then " + how + " " + because);
    }
    checkCode(how, why, because);
    outcome = how;
    code = why;
    text = because;
    if (why != null) {
      world.covers(why);
    }
    if (!vanished) {
      node.over(this);
      onOver();
    }
    boolean failed = how != Outcome.FINISHED && how != Outcome.STOPPED;
    if (failed
        && lane != null
        && lane.core().state() == Lane.State.UP
        && lane.core().channels() > 1) {
      world.covers(Rule.R12_OTHERS_LIVE_ON);
    }
    world.someEnded();
    channel.ended(this);
  }

  private void checkCode(Outcome how, ErrorCode why, String because) {
    boolean fits =
        (how == Outcome.STOPPED) == (why == ErrorCode.STOPPED)
            && (how == Outcome.FINISHED) == (why == null);
    if (!fits) {
      throw new SimFailure(this + " ended " + how + " with code " + why);
    }
    if (!world.facesLiar(plan) && why != null && neverAmongHonest(why)) {
      throw new SimFailure(this + " ended " + why + " although nobody lies: " + because);
    }
  }

  private boolean neverAmongHonest(ErrorCode why) {
    return switch (why) {
      case SEQUENCE_GAP, CREDIT_EXCEEDED, PROTOCOL_VIOLATION, INTERNAL -> true;
      case CHECKSUM_MISMATCH -> !world.plan().flips;
      default -> false;
    };
  }

  /** The process is gone. */
  void vanish() {
    vanished = true;
    world.someEnded();
  }

  @Override
  public String toString() {
    return role() + " of " + plan.key + " at " + node;
  }
}
