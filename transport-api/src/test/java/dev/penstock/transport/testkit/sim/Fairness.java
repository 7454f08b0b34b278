package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.protocol.ProtocolAccess;
import dev.penstock.transport.protocol.SendFlow;
import java.util.IdentityHashMap;

/** How many bytes of others a channel of a lane must watch go by although it could send. */
final class Fairness {
  private final World world;
  private final SimLane lane;
  private final IdentityHashMap<SimProducer, Long> waited = new IdentityHashMap<>();

  Fairness(World world, SimLane lane) {
    this.world = world;
    this.lane = lane;
  }

  void sent(int number, int bytes) {
    int[] streams = new int[1];
    lane.session().node().eachEnd(lane, end -> streams[0] += end instanceof SimProducer ? 1 : 0);
    long most = (long) streams[0] * (world.plan().quantum + world.plan().maxFrameLength);
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
              }
            });
  }
}
