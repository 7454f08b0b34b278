package dev.penstock.transport.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.testkit.PlainTextCodec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One bug, or more, per rule of the protocol: the simulator finds each within 200 seeds. */
@Tag("sim")
class PlantedBugsTest {
  private static final int SEEDS = 200;
  private static final String CORE = "src/main/java/dev/penstock/transport/protocol/";
  private static final String MODEL = "src/test/java/dev/penstock/transport/testkit/sim/";

  /**
   * Rules 7 and 15 are kept by the shell: their bugs are planted in the simulator's model of it.
   */
  enum Planted {
    R1_ANY_PROOF_WILL_DO(
        CORE + "AcceptorHandshake.java",
        "!transcript.dialerProof(key, welcome.proof()).equals(proof)",
        "key == null"),
    R2_TERMINALS_OF_CLOSED_NUMBERS_GO_UNANSWERED(
        CORE + "LaneInbound.java",
        "    } else if (flow == null && channels().numbers().isUsed(channel)) {\n"
            + "      lane.answerClosed(channel);",
        "    } else if (flow == null && channels().numbers().isUsed(channel)) {\n"
            + "      lane.stats().framesDropped++;"),
    R3_SENDING_GOES_ON_WHERE_THE_SENDER_STOOD(
        CORE + "SendProgress.java",
        "    sent = received;\n",
        "    sent = Math.max(sent, received);\n"),
    R4_FLOORS_ARE_LENT(
        CORE + "CreditBudget.java",
        "return bytes - bytes / 2 - floated;",
        "return bytes - floated;"),
    R4_A_STARVED_SENDER_IS_NOT_HEARD(
        CORE + "ReceiveFlow.java",
        "if (state == State.OPEN && window.unannounced()) {",
        "if (state == State.OPENING) {"),
    R5_MEMORY_IS_GRANTED_AGAIN_BEFORE_IT_CAME_BACK(
        CORE + "CreditWindow.java", "      limit = received;\n", "      limit = consumed;\n"),
    R6_ONLY_CONSUMPTION_ACKNOWLEDGES(
        CORE + "ReceiveFlow.java",
        "    owe(DUE_CREDIT);\n    listener.onData(",
        "    announceIfWorthIt();\n    listener.onData("),
    R7_ASSEMBLY_IS_NOT_RESERVED(
        MODEL + "SimAssembly.java",
        "waiting.isEmpty() && reserved + bytes <= capacity",
        "bytes > 0"),
    R8_LANES_JOIN_BEFORE_THE_PEER_KNOWS_THE_SESSION(
        MODEL + "SimSession.java",
        "lane.attach(wire, trust);",
        "lane.attach(wire, trust);\n    joinOthers();"),
    R8_FINISH_IS_NOT_SAID_AGAIN(
        CORE + "SendFlow.java",
        "    finishSent = false;\n    acknowledge(received);",
        "    acknowledge(received);"),
    R8_BYTES_OF_THE_OLD_CONNECTION_COUNT(
        MODEL + "SimLane.java",
        "      wire = null;\n      old.abandon();\n      broken();",
        "      broken();"),
    R9_BARREN_RESUMES_GO_ON(
        CORE + "ResumePolicy.java", "MAX_BARREN_RESUMES = 3", "MAX_BARREN_RESUMES = 3_000"),
    R10_RECEIPT_CONFIRMS_THE_END(
        CORE + "ReceiveFlow.java", "taken >= finalPosition", "received >= finalPosition"),
    R11_OLDER_ATTEMPTS_GET_THE_GATE(
        CORE + "Rendezvous.java",
        "if (order == 0) {\n        place.taken",
        "if (order <= 1) {\n        place.taken"),
    R12_ENOUGH_COUNTS_AS_A_FAILURE(
        CORE + "SendFlow.java",
        "code == ErrorCode.STOPPED ? Outcome.STOPPED : Outcome.FAILED",
        "Outcome.FAILED"),
    R13_SILENCE_GOES_UNNOTICED(
        CORE + "LaneLife.java", "now - heard >= silence", "now - heard >= 1000 * silence"),
    R14_THE_FIRST_CHANNEL_SENDS_ALL_IT_HAS(
        CORE + "ReadyQueue.java", "flow.deficit -= sent;", "flow.deficit -= 0;"),
    R14_A_COMMIT_WITHIN_THE_TURN_TELLS_NOBODY(
        CORE + "SendFlow.java",
        "(source.committedPosition() != progress.sent || !source.tryIdle()) && sendable()",
        "source.committedPosition() == progress.sent && !source.tryIdle() && sendable()"),
    R15_NO_ROOM_IS_KEPT_FOR_AN_EVENT(
        MODEL + "SimLog.java",
        "if (event && length <= EVENT_ROOM && !keepsEvent()) {",
        "if (length < 0) {");

    private final String file;
    private final String right;
    private final String wrong;

    Planted(String file, String right, String wrong) {
      this.file = file;
      this.right = right;
      this.wrong = wrong;
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldFind(Planted planted) {
    PlantedBug bug = new PlantedBug(planted.name(), planted.file, planted.right, planted.wrong);
    long seed = bug.find(new PlainTextCodec(), SEEDS);
    assertThat(seed).as("seed of 1 to %d that finds %s", SEEDS, planted).isPositive();
  }
}
