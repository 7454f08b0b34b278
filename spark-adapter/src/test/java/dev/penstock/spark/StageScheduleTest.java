package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stages that run together never wait for each other's slots, whatever is scheduled when. */
@Timeout(120)
class StageScheduleTest {
  private static final int SCHEDULES = Integer.getInteger("penstock.schedules", 5_000);

  @Test
  void shouldPipelineWithEverySlotOrNotAtAll() {
    long first = Long.getLong("penstock.schedules.seed", 1);
    System.out.println("schedules from seed " + first + " (-Dpenstock.schedules.seed)");
    int pipelined = 0;
    int refused = 0;
    for (long seed = first; seed < first + SCHEDULES; seed++) {
      StageSchedule schedule = new StageSchedule(new Random(seed), 0);
      assertThat(schedule.run()).as("what stands still with seed " + seed).isNull();
      pipelined += schedule.pipelined();
      refused += schedule.refused();
    }
    assertThat(pipelined).isGreaterThan(SCHEDULES / 4);
    assertThat(refused).isGreaterThan(SCHEDULES / 20);
  }

  @Test
  void shouldSeeStagesThatWaitForEachOther() {
    int stuck = 0;
    for (long seed = 0; seed < SCHEDULES / 10; seed++) {
      stuck += new StageSchedule(new Random(seed), 2).run() == null ? 0 : 1;
    }
    assertThat(stuck).isPositive();
  }
}
