package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.protocol.ProtocolAccess;
import dev.penstock.transport.protocol.SendFlow;
import java.util.IdentityHashMap;

/**
 * How many bytes of others a channel of a lane must watch go by although it could send: of all
 * others in a round, and of one in a turn.
 */
final class Fairness {
  private final World world;
  private final SimLane lane;
  private final IdentityHashMap<SimProducer, Long> waited = new IdentityHashMap<>();

  private final IdentityHashMap<SimProducer, Long> waitedInRun = new IdentityHashMap<>();
  private int running = -1;

  Fairness(World world, SimLane lane) {
    this.world = world;
    this.lane = lane;
  }

  /** There is another connection, and turns begin anew. */
  void reset() {
    running = -1;
    waited.clear();
    waitedInRun.clear();
  }

  void sent(int number, int bytes) {
    int[] streams = new int[1];
    lane.session().node().eachEnd(lane, end -> streams[0] += end instanceof SimProducer ? 1 : 0);
    long turn = (long) world.plan().quantum + world.plan().maxFrameLength;
    long most = streams[0] * turn;
    if (number != running) {
      running = number;
      waitedInRun.clear();
    }
    lane.session()
        .node()
        .eachEnd(
            lane,
            end -> {
              if (end instanceof SimProducer producer && producer.flow() != null) {
                SendFlow flow = producer.flow();
                if (flow.number() == number || !ProtocolAccess.isReady(flow)) {
                  waited.remove(producer);
                } else if (waited.merge(producer, (long) bytes, Long::sum) > most) {
                  throw new SimFailure(
                      producer
                          + " could send, and "
                          + waited.get(producer)
                          + " bytes of others went before it");
                }
                if (flow.number() == number || !canSend(producer)) {
                  waitedInRun.remove(producer);
                } else if (waitedInRun.merge(producer, (long) bytes, Long::sum) > turn) {
                  throw new SimFailure(
                      producer
                          + " could send, and "
                          + waitedInRun.get(producer)
                          + " bytes of one other went before it");
                }
              }
            });
  }

  /** Waits for its turn, and has the credit for it whatever comes next. */
  private boolean canSend(SimProducer producer) {
    SendFlow flow = producer.flow();
    long waits = producer.log().committed() - flow.sent();
    return ProtocolAccess.isReady(flow)
        && !ProtocolAccess.isInDebt(flow, world.plan().quantum)
        && waits > 0
        && flow.limit() - flow.sent() >= Math.min(waits, world.plan().maxFrameLength);
  }
}
