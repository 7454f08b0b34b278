package dev.penstock.transport.protocol;

import static dev.penstock.transport.protocol.LaneBench.DEADLINE;
import static dev.penstock.transport.protocol.LaneBench.KEY;
import static dev.penstock.transport.protocol.LaneBench.RECORD;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Role;

/** The state tables of both ends of a channel. */
final class ChannelTables {
  /** What the sender of these tables has sent, and the receiver received. */
  private static final long SENT = 5L * RECORD;

  private ChannelTables() {}

  static String sender() {
    StateTable<LaneBench> table = new StateTable<>();
    table.state("OPENING", ChannelTables::opening);
    table.state("OPEN", ChannelTables::open);
    table.state("FINISHING", ChannelTables::finishing);
    table.state("ABORTING", () -> aborting(open()));
    table.state("ABORTING after FINISH", () -> aborting(finishing()));
    table.state("DONE", ChannelTables::done);
    table.event("OPENED", bench -> bench.openedByReceiver(sent(bench)));
    table.event("OPENED, `position` beyond sent", bench -> bench.openedByReceiver(SENT + RECORD));
    table.event("CREDIT, higher `creditLimit`", bench -> credit(bench, SENT, 2_000));
    table.event("CREDIT, `received` beyond sent", bench -> credit(bench, SENT + RECORD, 2_000));
    table.event("FINISH_ACK", bench -> bench.peer().finishAck(bench.number, SENT, 5));
    table.event("FINISH_ACK, other totals", bench -> bench.peer().finishAck(bench.number, SENT, 4));
    table.event("RESET STOPPED", bench -> reset(bench, ErrorCode.STOPPED));
    table.event("RESET, any other code", bench -> reset(bench, ErrorCode.CANCELLED));
    table.event("CLOSED", bench -> bench.peer().closed(bench.number));
    table.event("DATA, DEMAND or FINISH", bench -> bench.data(0, 1, RECORD));
    table.event("records committed, credit suffices", bench -> commit(bench, 1));
    table.event("records committed, more than credit", bench -> commit(bench, 20));
    table.event(
        "finish", bench -> bench.lane.finish((SendFlow) bench.flow, bench.now + 2 * DEADLINE));
    table.event("abort", bench -> abort(bench, 2 * DEADLINE));
    table.event("deadline", bench -> bench.pass(DEADLINE));
    table.event("connection broke, peer restates", ChannelTables::resumeByReceiver);
    table.event("connection broke, peer does not restate", ChannelTables::unrestated);
    table.event("lane is dead", ChannelTables::laneDead);
    return table.markdown();
  }

  private static LaneBench opening() {
    LaneBench bench = LaneBench.connected();
    bench.flow = bench.lane.openSend(KEY, bench.sender(), bench.now + DEADLINE);
    bench.write();
    return bench;
  }

  private static LaneBench open() {
    LaneBench bench = opening();
    bench.openedByReceiver(0);
    commit(bench, 5);
    bench.write();
    return bench;
  }

  private static LaneBench finishing() {
    LaneBench bench = open();
    bench.lane.finish((SendFlow) bench.flow, bench.now + DEADLINE);
    bench.write();
    return bench;
  }

  private static LaneBench aborting(LaneBench bench) {
    abort(bench, DEADLINE);
    bench.write();
    return bench;
  }

  private static LaneBench done() {
    LaneBench bench = finishing();
    bench.peer().finishAck(bench.number, SENT, 5);
    bench.write();
    return bench;
  }

  private static long sent(LaneBench bench) {
    return ((SendFlow) bench.flow).sent();
  }

  private static void credit(LaneBench bench, long received, long limit) {
    bench.peer().credit(bench.number, received, 0, limit);
  }

  private static void reset(LaneBench bench, ErrorCode code) {
    bench.peer().reset(bench.number, code, "");
  }

  private static void commit(LaneBench bench, int count) {
    bench.records.committed += count;
    bench.lane.committed((SendFlow) bench.flow);
  }

  private static void abort(LaneBench bench, long nanos) {
    bench.lane.abort((SendFlow) bench.flow, ErrorCode.CANCELLED, "", bench.now + nanos);
  }

  private static void resumeByReceiver(LaneBench bench) {
    bench.disconnect();
    bench.connect();
    boolean known = sent(bench) > 0;
    if (known) {
      bench.openedByReceiver(SENT - RECORD);
    }
    bench.peer().ready(known ? 1 : 0, false);
  }

  private static void unrestated(LaneBench bench) {
    bench.disconnect();
    bench.connect();
    bench.peer().ready(0, false);
  }

  private static void laneDead(LaneBench bench) {
    bench.peer().goAway(ErrorCode.SHUTTING_DOWN, "", false);
  }

  // --- Receiver

  static String receiver() {
    StateTable<LaneBench> table = new StateTable<>();
    table.state("OPENING", ChannelTables::receiveOpening);
    table.state("OPEN", ChannelTables::receiveOpen);
    table.state("ENDING", ChannelTables::ending);
    table.state("FINISHED", ChannelTables::finished);
    table.state("RESETTING", ChannelTables::resetting);
    table.state("DONE", ChannelTables::receiveDone);
    table.event("OPENED", bench -> bench.openedBySender(received(bench)));
    table.event("OPENED, `position` before received", bench -> bench.openedBySender(0));
    table.event(
        "DATA at received, within the limit", bench -> bench.data(received(bench), 1, RECORD));
    table.event("DATA elsewhere", bench -> bench.data(received(bench) + RECORD, 1, RECORD));
    table.event("DATA beyond the limit", bench -> bench.data(received(bench), 1, 1 << 20));
    table.event(
        "DATA, impossible counts or flags", bench -> bench.data(received(bench), 0, RECORD));
    table.event(
        "DEMAND at received", bench -> bench.peer().demand(bench.number, received(bench), 1 << 16));
    table.event(
        "DEMAND elsewhere", bench -> bench.peer().demand(bench.number, received(bench) + 1, 1));
    table.event("FINISH with the totals received", bench -> finish(bench, received(bench)));
    table.event("FINISH with other totals", bench -> finish(bench, received(bench) + RECORD));
    table.event("RESET", bench -> reset(bench, ErrorCode.CANCELLED));
    table.event("CLOSED", bench -> bench.peer().closed(bench.number));
    table.event("CREDIT", bench -> credit(bench, 0, 2_000));
    table.event("FINISH_ACK", bench -> bench.peer().finishAck(bench.number, SENT, 5));
    table.event("memory given back", bench -> bench.lane.consumed(receive(bench), received(bench)));
    table.event("last record taken", bench -> bench.lane.taken(receive(bench), received(bench)));
    table.event("stop", bench -> bench.lane.stop(receive(bench), ErrorCode.STOPPED, ""));
    table.event(
        "payload refused",
        bench -> bench.lane.stop(receive(bench), ErrorCode.CHECKSUM_MISMATCH, ""));
    table.event("deadline", bench -> bench.pass(DEADLINE));
    table.event("connection broke, peer restates", ChannelTables::resumeBySender);
    table.event("connection broke, peer does not restate", ChannelTables::unrestated);
    table.event("lane is dead", ChannelTables::laneDead);
    return table.markdown();
  }

  private static LaneBench receiveOpening() {
    LaneBench bench = LaneBench.connected();
    bench.flow = bench.lane.openReceive(KEY, bench.receiver(), bench.now + DEADLINE);
    bench.write();
    return bench;
  }

  private static LaneBench receiveOpen() {
    LaneBench bench = receiveOpening();
    bench.openedBySender(0);
    bench.data(0, 5, 5 * RECORD);
    bench.write();
    return bench;
  }

  private static LaneBench ending() {
    LaneBench bench = receiveOpen();
    finish(bench, SENT);
    bench.write();
    return bench;
  }

  private static LaneBench finished() {
    LaneBench bench = ending();
    bench.lane.taken(receive(bench), SENT);
    bench.write();
    return bench;
  }

  private static LaneBench resetting() {
    LaneBench bench = receiveOpen();
    bench.lane.stop(receive(bench), ErrorCode.STOPPED, "");
    bench.write();
    return bench;
  }

  private static LaneBench receiveDone() {
    LaneBench bench = finished();
    bench.peer().closed(bench.number);
    return bench;
  }

  private static ReceiveFlow receive(LaneBench bench) {
    return (ReceiveFlow) bench.flow;
  }

  private static long received(LaneBench bench) {
    return receive(bench).received();
  }

  private static void finish(LaneBench bench, long position) {
    bench.peer().finish(bench.number, position, position / RECORD);
  }

  private static void resumeBySender(LaneBench bench) {
    bench.disconnect();
    bench.connect();
    boolean known = received(bench) > 0;
    if (known) {
      bench.openedBySender(received(bench));
    }
    bench.peer().ready(known ? 1 : 0, false);
  }

  // --- Answerer without a gate

  static String waiting() {
    StateTable<LaneBench> table = new StateTable<>();
    table.state("WAITING", ChannelTables::waitingForGate);
    table.state("REFUSED", ChannelTables::refusedGate);
    table.state("DONE", ChannelTables::givenUp);
    table.event(
        "a gate that sends comes",
        bench -> bench.lane.answer(bench.number, bench.sender(), flow -> bench.flow = flow));
    table.event(
        "an older attempt than the gate's, or a second OPEN of the key",
        bench -> bench.lane.refuse(bench.number, ErrorCode.FENCED, ""));
    table.event("deadline", bench -> bench.pass(DEADLINE));
    table.event("RESET", bench -> reset(bench, ErrorCode.CANCELLED));
    table.event("CLOSED", bench -> bench.peer().closed(bench.number));
    table.event("CREDIT", bench -> credit(bench, 0, 2_000));
    table.event(
        "connection broke, peer restates",
        bench -> {
          bench.disconnect();
          bench.connect();
          bench.peerOpens(Role.RECEIVER);
          bench.peer().ready(1, false);
        });
    table.event("connection broke, peer does not restate", ChannelTables::unrestated);
    table.event("lane is dead", ChannelTables::laneDead);
    return table.markdown();
  }

  private static LaneBench waitingForGate() {
    LaneBench bench = LaneBench.connected();
    bench.peerOpens(Role.RECEIVER);
    return bench;
  }

  private static LaneBench refusedGate() {
    LaneBench bench = waitingForGate();
    bench.pass(DEADLINE);
    bench.write();
    return bench;
  }

  private static LaneBench givenUp() {
    LaneBench bench = refusedGate();
    bench.peer().closed(bench.number);
    return bench;
  }
}
