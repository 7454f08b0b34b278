package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.protocol.CreditShare;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NettyMemoryBudgetTest {
  private static final long BYTES = 32L << 20;
  private static final long CAP = 1L << 20;

  private final NettyMemoryBudget budget = new NettyMemoryBudget(BYTES, 10_000, CAP, 2 * CAP);
  private final List<CreditShare> woken = new ArrayList<>();
  private final CreditShare first = budget.registerCredit(woken::add);
  private final List<CreditShare> waiting = new ArrayList<>();

  /** One channel takes all that floats and waits for more, as a thousand others do. */
  @BeforeEach
  void exhaust() {
    while (budget.take(first, CAP) > 0) {
      // It got a part.
    }
    waiting.add(first);
    for (int i = 0; i < 1_000; i++) {
      CreditShare share = budget.registerCredit(woken::add);
      waiting.add(share);
      assertThat(budget.take(share, CAP)).isZero();
    }
  }

  /** FAULTS 1, 20. */
  @Test
  void shouldWakeOneOfAThousandChannelsForWhatOneWillTake() {
    budget.give(1_000);
    assertThat(woken).containsExactly(waiting.get(0));
    assertThat(budget.take(waiting.get(0), CAP)).isEqualTo(1_000);
    budget.wakeNext();
    assertThat(woken).hasSize(1);
  }

  /** FAULTS 1. */
  @Test
  void shouldPassOnWhatTheWokenChannelDidNotTake() {
    budget.give(1_000);
    budget.wakeNext(); // it has stopped meanwhile and asks for nothing
    assertThat(woken).containsExactly(waiting.get(0), waiting.get(1));
    assertThat(budget.take(waiting.get(1), 400)).isEqualTo(400);
    budget.wakeNext();
    assertThat(woken).containsExactly(waiting.get(0), waiting.get(1), waiting.get(2));
    assertThat(budget.take(waiting.get(2), CAP)).isEqualTo(600);
    budget.wakeNext();
    assertThat(woken).hasSize(3);
  }

  @Test
  void shouldServeChannelsInTurns() {
    for (int round = 0; round < 3; round++) {
      for (CreditShare share : waiting) {
        woken.clear();
        budget.give(100);
        assertThat(woken).containsExactly(share);
        assertThat(budget.take(share, CAP)).isEqualTo(100); // and waits again
      }
    }
  }
}
