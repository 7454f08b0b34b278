package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.protocol.Admission;
import dev.penstock.transport.protocol.Binding;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.FrameSink;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.protocol.RecordSource;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What happens to a gate's end of a channel after the core was given it and before it has the
 * channel, and the other way round: it ends once, whoever is first.
 */
class BoundChannelTest {
  private static final ChannelKey KEY = new ChannelKey(7, 1, 2, 3);
  private static final int NUMBER = 1;

  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final EmbeddedChannel loop = new EmbeddedChannel();
  private final Events events = new Events();
  private final NettyMemoryBudget budget = new NettyMemoryBudget(1 << 20, 8, 1 << 16, 1 << 16);
  private final List<IncomingChannel> met = new ArrayList<>();
  private final Gates gates = new Gates(end -> met.add((IncomingChannel) end));
  private final NettyLane lane = lane();
  private final List<Ending> endings = new ArrayList<>();
  private int sendersOver;
  private int receiversOver;

  private final OutgoingChannel outgoing = outgoing();
  private final IncomingChannel incoming = incoming();

  private NettyLane lane() {
    Node node = new Node(TransportOptions.defaults(), allocator);
    NettyLane.Owner owner =
        new NettyLane.Owner() {
          @Override
          public void connect(NettyLane on, int epoch) {}

          @Override
          public void laneUp(NettyLane on, boolean resumed) {}

          @Override
          public void laneBroken(NettyLane on, ErrorCode code, String text) {}

          @Override
          public void laneDead(NettyLane on, ErrorCode code, String text) {}

          @Override
          public void draining() {}
        };
    return new NettyLane(node, gates, owner, 0, loop.eventLoop(), true);
  }

  private OutgoingChannel outgoing() {
    LogAccount account = budget.log().register().orElseThrow();
    LogSettings settings = new LogSettings(1 << 14, 1 << 16, ChunkSizes.MAX, true);
    ScratchPermit scratch = new ScratchPermit(settings.maxMessageChunk());
    OutgoingChannel.Owner owner =
        channel -> {
          sendersOver++;
          gates.unregister(Role.SENDER, KEY, channel);
        };
    return new OutgoingChannel(
        KEY,
        attention -> new AppendLog(account, scratch, allocator, settings, 0, 0, attention),
        events,
        owner,
        0);
  }

  private IncomingChannel incoming() {
    InboundQueue queue = new InboundQueue(1 << 16, null);
    IncomingChannel.Owner owner =
        new IncomingChannel.Owner() {
          @Override
          public InboundDelivery delivery(NettyLane on) {
            return queue;
          }

          @Override
          public void endedUnattached(IncomingChannel channel, Ending ending) {
            endings.add(ending);
          }

          @Override
          public void closed(IncomingChannel channel) {
            receiversOver++;
            gates.unregister(Role.RECEIVER, KEY, channel);
          }
        };
    IncomingChannel channel = new IncomingChannel(KEY, events, owner, budget);
    assertThat(channel.reserve()).isTrue();
    return channel;
  }

  private Flow opened(OutgoingChannel channel, Binding binding) {
    Flow flow = lane.core().openSend(KEY, (Binding.Send) binding, Lane.NEVER);
    channel.attached(lane, flow);
    return flow;
  }

  /** A peer's channel waits, and is gone before the lane looks. */
  private void registerForAChannelThatIsGone(Role role, Gates.End end) {
    assertThat(gates.admit(lane, NUMBER, role, KEY)).isSameAs(Admission.WAIT);
    gates.register(role, KEY, end, false);
  }

  @AfterEach
  void shouldLeaveNothing() {
    outgoing.abort(ErrorCode.CANCELLED, "the test is over");
    incoming.stop(ErrorCode.STOPPED, "the test is over");
    loop.runPendingTasks();
    assertThat(sendersOver).isOne();
    assertThat(receiversOver).isOne();
    assertThat(events.closed).hasSize(2);
    assertThat(lane.core().channels()).isZero();
    assertThat(lane.sending()).isEmpty();
    assertThat(budget.inputBytesUsed()).isZero();
    assertThat(budget.outputBytesUsed()).isZero();
    loop.finishAndReleaseAll();
    assertThat(allocator.metric().directArenas())
        .allSatisfy(arena -> assertThat(arena.numActiveAllocations()).isZero());
  }

  // --- Producer's end

  @Test
  void shouldAbortOnTheLaneWhatWasGivenUpWhileItsChannelWasMade() {
    outgoing.log().offer(0, ByteBuffer.allocate(100));
    Binding binding = outgoing.bind(lane);
    outgoing.abort(ErrorCode.CANCELLED, "enough");
    assertThat(outgoing.outcome()).isNull();
    assertThat(sendersOver).isZero();
    opened(outgoing, binding);
    loop.runPendingTasks();
    assertThat(outgoing.outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(outgoing.failure().code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(sendersOver).isOne();
  }

  @Test
  void shouldAbortWhenNoChannelCameOfIt() {
    outgoing.bind(lane);
    outgoing.abort(ErrorCode.CANCELLED, "enough");
    assertThat(outgoing.outcome()).isNull();
    outgoing.unbound();
    outgoing.openFailed(ErrorCode.RESOURCE_EXHAUSTED, "the session takes no more channels");
    assertThat(outgoing.outcome()).isEqualTo(Outcome.ABORTED);
  }

  /** The finish of a gate whose consumer never came, at the moment when one comes. */
  @Test
  void shouldNotFailForWantOfAConsumerWhoComesAtThisMoment() {
    Binding binding = outgoing.bind(lane);
    outgoing.openFailed(ErrorCode.DEADLINE_EXCEEDED, "the consumer did not come");
    assertThat(outgoing.outcome()).isNull();
    opened(outgoing, binding);
    loop.runPendingTasks();
    assertThat(outgoing.outcome()).isNull();
  }

  @Test
  void shouldFailForWantOfAConsumerWhoCameAndWasGone() {
    outgoing.bind(lane);
    outgoing.openFailed(ErrorCode.DEADLINE_EXCEEDED, "the consumer did not come");
    outgoing.unbound();
    assertThat(outgoing.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(outgoing.failure().code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
  }

  @Test
  void shouldNotBeBoundWhenItHasEndedOrHasAChannel() {
    outgoing.abort(ErrorCode.CANCELLED, "enough");
    assertThat(outgoing.bind(lane)).isNull();
    assertThat(outgoing.refusal()).isEqualTo(new Ending(ErrorCode.CANCELLED, "enough"));
    assertThat(incoming.bind(lane)).isNotNull();
    assertThat(incoming.bind(lane)).isNull();
    assertThat(incoming.refusal()).isEqualTo(Gates.OPEN_ALREADY);
    incoming.unbound();
  }

  /** What the peer says of a channel may end it while it is answered. */
  @Test
  void shouldForgetAChannelThatFailsWhileItIsAnswered() {
    lane.core().connected(1 << 16, 100, 2_000_000_000L, System.nanoTime());
    lane.frames().ready(0, false);
    lane.core().write(NOWHERE, System.nanoTime());
    lane.frames().open(NUMBER, Role.RECEIVER, 7, 1, 2, 3, 500, 5, 0, 0, 9_000, 1_000);
    gates.register(Role.SENDER, KEY, outgoing, false);
    loop.runPendingTasks();
    assertThat(outgoing.failure().code()).isEqualTo(ErrorCode.SEQUENCE_GAP);
    assertThat(lane.sending()).isEmpty();
    lane.core().write(NOWHERE, System.nanoTime());
    lane.frames().closed(NUMBER);
  }

  // --- Consumer's end

  @Test
  void shouldStopOnTheLaneWhatWasStoppedWhileItsChannelWasMade() {
    Binding binding = incoming.bind(lane);
    incoming.stop(ErrorCode.STOPPED, "enough");
    assertThat(endings).isEmpty();
    assertThat(budget.inputBytesUsed()).isEqualTo(budget.creditFloor());
    Flow flow = lane.core().openReceive(KEY, (Binding.Receive) binding, Lane.NEVER);
    incoming.attached(lane, flow);
    loop.runPendingTasks();
    assertThat(endings).as("the lane told it").isEmpty();
    assertThat(receiversOver).isOne();
    assertThat(events.closed).hasSize(1);
  }

  @Test
  void shouldEndWithoutAChannelWhenNoneCameOfIt() {
    incoming.bind(lane);
    incoming.stop(ErrorCode.CANCELLED, "no use");
    incoming.unbound();
    incoming.openFailed(ErrorCode.RESOURCE_EXHAUSTED, "the session takes no more channels");
    assertThat(endings).containsExactly(new Ending(ErrorCode.CANCELLED, "no use"));
  }

  // --- Where they meet

  @Test
  void shouldRefuseAChannelWhoseGateHasJustEnded() {
    gates.register(Role.RECEIVER, KEY, new EndsWhenChosen(), false);
    assertThat(gates.admit(lane, NUMBER, Role.RECEIVER, KEY))
        .isEqualTo(new Admission.Refuse(ErrorCode.CANCELLED, "no use"));
    assertThat(endings).hasSize(1);
  }

  @Test
  void shouldWaitAgainWhenTheChannelItAnsweredIsGone() {
    registerForAChannelThatIsGone(Role.SENDER, outgoing);
    loop.runPendingTasks();
    assertThat(outgoing.isWaiting()).isTrue();
    gates.register(Role.RECEIVER, KEY, incoming, false);
    assertThat(met).as("both wait inside the node").containsExactly(incoming);
  }

  @Test
  void shouldAnswerNobodyWithAGateThatHasEnded() {
    registerForAChannelThatIsGone(Role.SENDER, outgoing);
    outgoing.abort(ErrorCode.CANCELLED, "enough");
    loop.runPendingTasks();
    assertThat(outgoing.outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(sendersOver).isOne();
  }

  /** Says what is due to nobody. */
  private static final FrameSink NOWHERE =
      new FrameSink() {
        private final Frames frames =
            (Frames)
                Proxy.newProxyInstance(
                    Frames.class.getClassLoader(),
                    new Class<?>[] {Frames.class},
                    (proxy, method, arguments) -> null);

        @Override
        public Frames frames() {
          return frames;
        }

        @Override
        public boolean hasRoom() {
          return true;
        }

        @Override
        public void payload(RecordSource source, long position, int length) {}
      };

  /** Stopped when the lane has chosen it, and before it is bound. */
  private final class EndsWhenChosen implements Gates.End {
    @Override
    public Binding bind(NettyLane to) {
      incoming.stop(ErrorCode.CANCELLED, "no use");
      return incoming.bind(to);
    }

    @Override
    public Ending refusal() {
      return incoming.refusal();
    }

    @Override
    public void attached(NettyLane to, Flow flow) {
      incoming.attached(to, flow);
    }

    @Override
    public void unbound() {
      incoming.unbound();
    }

    @Override
    public void fence(int newerAttempt) {
      incoming.fence(newerAttempt);
    }
  }
}
