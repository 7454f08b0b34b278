package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** A lane whose peer is the test, and what it says and reports. */
final class LaneBench
    implements StateTable.Machine, LanePort, SendListener, ReceiveListener, CreditPool {
  static final ChannelKey KEY = new ChannelKey(7, 1, 2, 3);
  static final int RECORD = 100;
  static final int FLOOR = 1_000;
  static final long SECOND = 1_000_000_000L;
  static final long HEARTBEAT = 2 * SECOND;
  static final long SILENCE = 6 * SECOND;
  static final long WINDOW = 60 * SECOND;

  /** Of channels; before any timer of the lane. */
  static final long DEADLINE = SECOND / 1_000;

  /** What the lane opens first, as the dialer. */
  static final int OWN = 0;

  /** What the peer opens first. */
  static final int PEERS = 1;

  final Lane lane;
  final Records records = new Records();
  Admission admission = Admission.WAIT;
  Flow flow;
  int number = OWN;
  long now;

  private final List<String> did = new ArrayList<>();
  final CreditBudget budget = new CreditBudget(1 << 20, 64);
  private String stood = "";
  private long dropped;
  private boolean refused;
  private boolean connected;

  /** How often a receiver was told that its sender is starved; no part of a table. */
  int hearsOfStarving;

  /** Records of {@value #RECORD} bytes. */
  final class Records implements RecordSource {
    long committed;

    @Override
    public long committedPosition() {
      return committed * RECORD;
    }

    @Override
    public long committedSequence() {
      return committed;
    }

    @Override
    public boolean cut(long position, int maxLength, int pieceLength, FrameCut cut) {
      long whole = Math.min(maxLength, committedPosition() - position) / RECORD;
      cut.length = (int) whole * RECORD;
      cut.messages = (int) whole;
      cut.flags = 0;
      cut.crc = 0;
      return whole > 0;
    }

    @Override
    public void acknowledged(long position) {}

    @Override
    public void release() {
      note("frees log");
    }
  }

  LaneBench(boolean dialer) {
    LaneConfig config =
        new LaneConfig(dialer, HEARTBEAT, SILENCE, WINDOW, DEADLINE, 100, 100, 1 << 16, 1 << 16);
    lane = new Lane(config, this, 0);
  }

  // --- Getting there

  static LaneBench connected() {
    LaneBench bench = new LaneBench(true);
    bench.connect();
    bench.peer().ready(0, false);
    return bench;
  }

  void connect() {
    connectSilently();
    write();
  }

  /** A connection is there, and the lane has not had its turn yet. */
  void connectSilently() {
    connected = true;
    lane.connected(1 << 16, 100, HEARTBEAT, now);
  }

  Frames peer() {
    return lane.inbound();
  }

  /** The connection is gone. */
  void disconnect() {
    connected = false;
    lane.disconnected(now);
  }

  void write() {
    if (connected) {
      lane.write(sink(), now);
    }
  }

  void pass(long nanos) {
    now += nanos;
    lane.timeout(now);
  }

  Binding.Send sender() {
    return new Binding.Send(records, this);
  }

  Binding.Receive receiver() {
    return new Binding.Receive(budget.register(this, share -> {}, 1 << 18), this);
  }

  void peerOpens(Role role) {
    number = PEERS;
    peer().open(PEERS, role, 7, 1, 2, 3, 0, 0, 0, 0, floor(role), floor(role));
    flow = ProtocolAccess.flow(lane, PEERS);
  }

  /** The receiving peer's half of the state. */
  void openedByReceiver(long received) {
    peer()
        .opened(number, Role.RECEIVER, 7, 1, 2, 3, received, received / RECORD, 0, 0, FLOOR, FLOOR);
  }

  /** The sending peer's half of the state. */
  void openedBySender(long sent) {
    peer().opened(number, Role.SENDER, 7, 1, 2, 3, sent, sent / RECORD, 0, 0, 0, 0);
  }

  static int floor(Role role) {
    return role == Role.RECEIVER ? FLOOR : 0;
  }

  void data(long position, int messages, int length) {
    peer().data(number, position, position / RECORD, messages, 0, length, 0, length, 0);
  }

  private FrameSink sink() {
    Frames recorder =
        (Frames)
            Proxy.newProxyInstance(
                Frames.class.getClassLoader(),
                new Class<?>[] {Frames.class},
                (proxy, method, arguments) -> {
                  did.add(text(method.getName(), arguments));
                  return null;
                });
    return new FrameSink() {
      @Override
      public Frames frames() {
        return recorder;
      }

      @Override
      public boolean hasRoom() {
        return true;
      }

      @Override
      public void payload(RecordSource source, long position, int length) {}
    };
  }

  private static String text(String method, Object[] arguments) {
    String frame =
        method.equals("goAway")
            ? "GOAWAY"
            : method.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    return switch (frame) {
      case "RESET" -> frame + " " + arguments[1];
      case "GOAWAY" -> frame + " " + arguments[0] + ((boolean) arguments[2] ? " draining" : "");
      default -> frame;
    };
  }

  // --- What it did

  @Override
  public String did() {
    write();
    String stands = flow == null && number == OWN ? lane.state().name() : stands();
    String changed = Objects.equals(stands, stood) ? "" : "→ " + stands;
    stood = stands;
    if (lane.stats().framesDropped > dropped) {
      dropped = lane.stats().framesDropped;
      did.add("drops");
    }
    String all = String.join(", ", did);
    did.clear();
    if (refused) {
      refused = false;
      return "violation";
    }
    return all.isEmpty() && changed.isEmpty() ? "–" : (all + " " + changed).strip();
  }

  private String stands() {
    Flow current = ProtocolAccess.flow(lane, number);
    if (current == null) {
      return "DONE";
    }
    if (current instanceof SendFlow send) {
      return send.state().name();
    }
    if (current instanceof ReceiveFlow receive) {
      return receive.finalPosition() >= 0 && receive.state() == ReceiveFlow.State.OPEN
          ? "ENDING"
          : receive.state().name();
    }
    return current.terminal() ? "REFUSED" : "WAITING";
  }

  // --- LanePort

  @Override
  public void connect(int epoch) {
    did.add("dials");
  }

  @Override
  public double jitter() {
    return 0;
  }

  @Override
  public void disconnect(boolean afterWriting, ErrorCode code, String text) {
    refused = code == ErrorCode.PROTOCOL_VIOLATION;
    if (afterWriting) {
      write();
    }
    connected = false;
    if (flow == null) {
      did.add("closes");
    }
  }

  @Override
  public void up() {}

  @Override
  public void dead(ErrorCode code, String text) {
    if (flow == null) {
      did.add("all fail with " + code);
    }
  }

  @Override
  public void peerDraining() {
    did.add("opens no more channels");
  }

  @Override
  public Admission admit(int channel, Role role, ChannelKey key) {
    return admission;
  }

  @Override
  public void stoppedWaiting(int channel, Role role, ChannelKey key) {}

  @Override
  public void forgotten(Flow forgotten) {}

  // --- Gates

  @Override
  public void onOpened(SendFlow opened) {}

  @Override
  public void onTerminated(SendFlow ended, Outcome outcome, ErrorCode code, String text) {
    report(outcome, code);
  }

  @Override
  public void onOpened(ReceiveFlow opened) {}

  @Override
  public void onData(
      ReceiveFlow receiving,
      long position,
      long sequence,
      int messages,
      int flags,
      int length,
      int crc) {
    did.add("queues");
  }

  @Override
  public void onStarved(ReceiveFlow starved) {
    hearsOfStarving++;
  }

  @Override
  public void onEnd(ReceiveFlow ended) {}

  @Override
  public void onTerminated(ReceiveFlow ended, Outcome outcome, ErrorCode code, String text) {
    report(outcome, code);
  }

  private void report(Outcome outcome, ErrorCode code) {
    String why = code == null || code.name().equals(outcome.name()) ? "" : " " + code;
    note("*" + outcome + why + "*");
  }

  /** What a channel does is no part of its lane's table. */
  private void note(String text) {
    if (flow != null) {
      did.add(text);
    }
  }

  // --- CreditPool

  @Override
  public long take(CreditShare share, long want) {
    return budget.take(share, want);
  }

  @Override
  public void give(long bytes) {
    budget.give(bytes);
  }

  @Override
  public void unregister(CreditShare share) {
    budget.unregister(share);
  }
}
