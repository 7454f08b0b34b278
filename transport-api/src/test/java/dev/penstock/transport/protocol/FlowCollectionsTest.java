package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.testkit.SeedOnFailure;
import dev.penstock.transport.wire.Role;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The lane's own collections against those of the JDK. */
class FlowCollectionsTest {
  private static final int CASES = 50;
  private static final int STEPS = 1_500;

  @RegisterExtension final SeedOnFailure seed = new SeedOnFailure("penstock.flows.seed");

  private static Flow flow(int number) {
    return new WaitingFlow(null, number, new ChannelKey(1, 2, 3, 4), Role.SENDER);
  }

  @Test
  void shouldFindFlowsAsAMapDoes() {
    Random random = new Random(seed.value());
    for (int i = 0; i < CASES; i++) {
      FlowTable table = new FlowTable();
      TreeMap<Integer, Flow> model = new TreeMap<>(Integer::compareUnsigned);
      int range = 1 + random.nextInt(400);
      int base = random.nextInt();
      for (int step = 0; step < STEPS; step++) {
        int number = base + random.nextInt(range);
        if (random.nextInt(5) < 3) {
          Flow flow = flow(number);
          table.put(flow);
          model.put(number, flow);
        } else {
          table.remove(number);
          model.remove(number);
        }
        assertThat(table.size()).isEqualTo(model.size());
        int probe = base + random.nextInt(range);
        assertThat(table.get(probe)).isSameAs(model.get(probe));
      }
      assertThat(table.sorted()).containsExactlyElementsOf(model.values());
    }
  }

  @Test
  void shouldKnowTheEarliestDeadline() {
    Random random = new Random(seed.value());
    for (int i = 0; i < CASES; i++) {
      DeadlineHeap heap = new DeadlineHeap();
      Flow[] flows = new Flow[1 + random.nextInt(60)];
      for (int number = 0; number < flows.length; number++) {
        flows[number] = flow(number);
      }
      Map<Flow, Long> model = new HashMap<>();
      // The clock may be about to wrap.
      long base = random.nextBoolean() ? 0 : Long.MAX_VALUE - 500;
      for (int step = 0; step < STEPS; step++) {
        Flow flow = flows[random.nextInt(flows.length)];
        if (random.nextInt(3) > 0) {
          long after = random.nextInt(1_000);
          long deadline = base + after == Lane.NEVER ? base : base + after;
          heap.set(flow, deadline);
          model.put(flow, deadline - base);
        } else {
          heap.set(flow, Lane.NEVER);
          model.remove(flow);
        }
        long earliest = model.values().stream().min(Long::compare).orElse(-1L);
        if (earliest < 0) {
          assertThat(heap.first()).isNull();
          assertThat(heap.earliest()).isEqualTo(Lane.NEVER);
        } else {
          assertThat(heap.earliest()).isEqualTo(base + earliest);
          assertThat(model.get(heap.first())).isEqualTo(earliest);
        }
      }
    }
  }
}
