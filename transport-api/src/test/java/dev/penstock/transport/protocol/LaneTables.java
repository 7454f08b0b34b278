package dev.penstock.transport.protocol;

import static dev.penstock.transport.protocol.LaneBench.HEARTBEAT;
import static dev.penstock.transport.protocol.LaneBench.KEY;
import static dev.penstock.transport.protocol.LaneBench.OWN;
import static dev.penstock.transport.protocol.LaneBench.SILENCE;
import static dev.penstock.transport.protocol.LaneBench.WINDOW;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;

/** The state table of a lane. */
final class LaneTables {
  private LaneTables() {}

  static String lane() {
    StateTable<LaneBench> table = new StateTable<>();
    table.state("BROKEN, dialer", () -> broken(true));
    table.state("BROKEN, acceptor", () -> broken(false));
    table.state("RESTATING", LaneTables::restating);
    table.state("UP", LaneBench::connected);
    table.state("UP, draining with a live channel", LaneTables::draining);
    table.state("DEAD", LaneTables::dead);
    commands(table);
    frames(table);
    timers(table);
    return table.markdown();
  }

  private static void commands(StateTable<LaneBench> table) {
    table.event("handshake led to trust", LaneBench::connect);
    table.event("handshake proved that the session or the node is another", LaneTables::hopeless);
    table.event("connection closed, or a malformed frame", bench -> bench.disconnect());
    table.event("this node drains", bench -> bench.lane.drain(ErrorCode.SHUTTING_DOWN, ""));
    table.event(
        "this node ends the session", bench -> bench.lane.close(ErrorCode.SHUTTING_DOWN, ""));
    table.event(
        "its last channel is over",
        bench -> {
          if (bench.lane.channels() > 0) {
            bench.peer().reset(OWN, ErrorCode.CANCELLED, "");
          }
        });
  }

  private static void frames(StateTable<LaneBench> table) {
    table.event("READY with the number restated", bench -> bench.peer().ready(0, false));
    table.event("READY, draining", bench -> bench.peer().ready(0, true));
    table.event("READY with another number", bench -> bench.peer().ready(3, false));
    table.event("OPEN of a new number", LaneTables::opens);
    table.event(
        "OPEN of a number of this side's",
        bench -> bench.peer().open(4, Role.SENDER, 7, 1, 2, 3, 0, 0, 0, 0, 0, 0));
    table.event(
        "OPENED of a number never used",
        bench -> bench.peer().opened(4, Role.SENDER, 7, 1, 2, 3, 0, 0, 0, 0, 0, 0));
    table.event(
        "RESET of a number of the peer's never used",
        bench -> bench.peer().reset(9, ErrorCode.CANCELLED, ""));
    table.event("CLOSED, or a frame of a channel never opened", bench -> bench.peer().closed(4));
    table.event("HELLO, WELCOME or PROOF", bench -> bench.peer().proof(Octets.EMPTY));
    table.event("PING", bench -> bench.peer().ping(1));
    table.event("PONG", bench -> bench.peer().pong(1));
    table.event(
        "GOAWAY, draining", bench -> bench.peer().goAway(ErrorCode.SHUTTING_DOWN, "", true));
    table.event("GOAWAY", bench -> bench.peer().goAway(ErrorCode.SHUTTING_DOWN, "", false));
  }

  private static void timers(StateTable<LaneBench> table) {
    table.event(
        "nothing said for the heartbeat",
        bench -> {
          bench.now += HEARTBEAT;
          bench.lane.bytesRead(bench.now);
          bench.lane.timeout(bench.now);
        });
    table.event("nothing heard for the silence limit", bench -> bench.pass(SILENCE));
    table.event(
        "socket took nothing for the silence limit",
        bench -> {
          bench.lane.writePending(true, bench.now);
          bench.now += SILENCE;
          bench.lane.bytesRead(bench.now);
          bench.lane.timeout(bench.now);
        });
    table.event("back-off over", bench -> bench.pass(1));
    table.event("resume window over", bench -> bench.pass(WINDOW + 2 * SILENCE));
  }

  private static LaneBench broken(boolean dialer) {
    LaneBench bench = new LaneBench(dialer);
    bench.connect();
    bench.peer().ready(0, false);
    bench.disconnect();
    return bench;
  }

  private static LaneBench restating() {
    LaneBench bench = new LaneBench(true);
    bench.connect();
    return bench;
  }

  private static LaneBench draining() {
    LaneBench bench = LaneBench.connected();
    bench.lane.openSend(KEY, bench.sender(), Lane.NEVER);
    bench.write();
    bench.lane.drain(ErrorCode.SHUTTING_DOWN, "");
    bench.write();
    return bench;
  }

  private static LaneBench dead() {
    LaneBench bench = LaneBench.connected();
    bench.lane.close(ErrorCode.SHUTTING_DOWN, "");
    return bench;
  }

  private static void hopeless(LaneBench bench) {
    if (bench.lane.state() == Lane.State.BROKEN) {
      bench.lane.connectFailed(ErrorCode.SESSION_LOST, "", true, bench.now);
    }
  }

  private static void opens(LaneBench bench) {
    int peers = 101 - (bench.lane.state() == Lane.State.BROKEN ? 1 : 0);
    bench.peer().open(peers, Role.SENDER, 7, 1, 2, 3, 0, 0, 0, 0, 0, 0);
  }
}
