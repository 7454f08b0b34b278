package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whose turn it is when a connection comes up again. */
class ResumedTurnsTest {
  private static final int CHANNELS = 20;
  private static final long RECORD = LaneBench.RECORD;

  private final LaneBench bench = LaneBench.connected();
  private final List<SendFlow> flows = new ArrayList<>();
  private final long[] received = new long[CHANNELS];

  /** Channels that always have something to send, and credit for it. */
  private void open() {
    bench.records.committed = 1_000;
    for (int consumer = 0; consumer < CHANNELS; consumer++) {
      ChannelKey key = new ChannelKey(7, 1, consumer, 3);
      flows.add(bench.lane.openSend(key, bench.sender(), Lane.NEVER));
    }
    bench.write();
    flows.forEach(this::restate);
  }

  /** The peer's half of a channel's state. */
  private void restate(SendFlow flow) {
    ChannelKey key = flow.key();
    long position = received[key.consumer()];
    bench
        .peer()
        .opened(
            flow.number(),
            Role.RECEIVER,
            key.exchange(),
            key.producer(),
            key.consumer(),
            key.attempt(),
            position,
            position / RECORD,
            0,
            position,
            position + RECORD,
            (int) RECORD);
  }

  /** A connection that breaks after some turns; returns who had one, in order. */
  private List<Integer> connection(int turns, int arriving) {
    bench.disconnect();
    bench.connect();
    flows.forEach(this::restate);
    bench.peer().ready(CHANNELS, false);
    List<Integer> served = new ArrayList<>();
    bench.lane.write(new Turns(turns, served), bench.now);
    for (int consumer : served.subList(0, arriving)) {
      received[consumer] += RECORD;
    }
    return served;
  }

  /** Takes a number of DATA frames, each of which is a turn. */
  private final class Turns implements FrameSink {
    private final int most;
    private final List<Integer> served;
    private final Frames frames =
        (Frames)
            Proxy.newProxyInstance(
                Frames.class.getClassLoader(),
                new Class<?>[] {Frames.class},
                (proxy, method, arguments) -> said(method.getName(), arguments));

    Turns(int most, List<Integer> served) {
      this.most = most;
      this.served = served;
    }

    private Object said(String frame, Object[] arguments) {
      if (frame.equals("data")) {
        served.add(ProtocolAccess.flow(bench.lane, (int) arguments[0]).key().consumer());
      }
      return null;
    }

    @Override
    public Frames frames() {
      return frames;
    }

    @Override
    public boolean hasRoom() {
      return served.size() < most;
    }

    @Override
    public void payload(RecordSource source, long position, int length) {}
  }

  @Test
  void shouldGoOnWithTheTurnsWhereTheConnectionBroke() {
    open();
    List<Integer> served = new ArrayList<>();
    for (int i = 0; i < CHANNELS / 4; i++) {
      served.addAll(connection(4, 4));
    }
    assertThat(served).isEqualTo(IntStream.range(0, CHANNELS).boxed().toList());
    assertThat(connection(4, 4)).isEqualTo(List.of(0, 1, 2, 3));
  }

  /** Whose bytes were lost on the way has not had its turn. */
  @Test
  void shouldServeEveryChannelThoughOnlyTheFirstTurnsOfAConnectionArrive() {
    open();
    for (int i = 0; i < CHANNELS / 2; i++) {
      connection(7, 2);
    }
    assertThat(received).containsOnly(RECORD);
  }
}
