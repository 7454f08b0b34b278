package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogMemoryTest {
  private static LogMemory ofDefaults() {
    return new LogMemory(
        LogMemory.DEFAULT_BYTES, LogMemory.DEFAULT_CHANNELS, LogMemory.DEFAULT_CHANNEL_CAP);
  }

  @Test
  void shouldReserveAFloorForEachOfTenThousandChannelsAndRefuseTheNextBeyondHalfOfTheBudget() {
    LogMemory memory = ofDefaults();
    List<LogAccount> accounts = new ArrayList<>();
    for (int i = 0; i < LogMemory.DEFAULT_CHANNELS; i++) {
      accounts.add(memory.register().orElseThrow());
    }
    assertThat((long) memory.floor() * memory.registered()).isLessThanOrEqualTo(memory.bytes() / 2);
    assertThat(memory.floor()).isGreaterThanOrEqualTo(ChunkSizes.MIN_FLOOR);
    while (memory.register().isPresent()) {}
    assertThat((long) memory.floor() * (memory.registered() + 1)).isGreaterThan(memory.bytes() / 2);
    accounts.get(0).close();
    assertThat(memory.register()).isPresent();
  }

  @Test
  void shouldRefuseChannelsEarlierWhenTheFloorWouldBeTooSmall() {
    LogMemory memory = new LogMemory(1 << 20, 10_000, 1 << 20);
    assertThat(memory.floor()).isEqualTo(ChunkSizes.MIN_FLOOR);
    assertThat(memory.maxChannels()).isEqualTo(512);
  }

  @Test
  void shouldNotOverflowWithHugeBudgets() {
    LogMemory memory = new LogMemory(1L << 40, 2, 1L << 40);
    LogAccount account = memory.register().orElseThrow();
    assertThat(memory.floor()).isPositive();
    assertThat(memory.maxChannels()).isPositive();
    assertThat(account.tryCharge(1 << 20)).isTrue();
    account.chunkFreed(1 << 20);
    account.close();
    assertThat(memory.registered()).isZero();
  }

  @Test
  void shouldRefuseABudgetThatHoldsNoChannel() {
    assertThatThrownBy(() -> new LogMemory(2047, 1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2047");
    assertThatThrownBy(() -> new LogMemory(1 << 20, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldNeverLendAFloor() {
    LogMemory memory = new LogMemory(64 * 1024, 8, 1 << 20);
    List<LogAccount> accounts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      accounts.add(memory.register().orElseThrow());
    }
    // All but the last take whatever they can get.
    for (LogAccount greedy : accounts.subList(0, 7)) {
      while (greedy.tryCharge(256)) {}
    }
    LogAccount modest = accounts.get(7);
    assertThat(modest.tryCharge(modest.startChunk())).isTrue();
    assertThat(modest.tryCharge(modest.startChunk())).isTrue();
    assertThat(modest.tryChargeEvent()).isTrue();
    assertThat(accounts.stream().mapToLong(LogAccount::charged).sum())
        .isLessThanOrEqualTo(memory.bytes());
  }

  @Test
  void shouldKeepFloatForOthersWhenOneChannelTakesAllItCan() {
    LogMemory memory = new LogMemory(1 << 20, 8, 1 << 20);
    LogAccount greedy = memory.register().orElseThrow();
    while (greedy.tryCharge(4096)) {}
    assertThat(greedy.floatNeed()).isPositive();
    LogAccount second = memory.register().orElseThrow();
    assertThat(second.tryCharge(100 * 1024)).isTrue();
  }

  @Test
  void shouldHoldAChannelToItsCap() {
    LogMemory memory = new LogMemory(1 << 20, 8, 10_000);
    LogAccount account = memory.register().orElseThrow();
    assertThat(account.tryCharge((int) account.floor() + 10_000)).isTrue();
    assertThat(account.tryCharge(256)).isFalse();
    assertThat(account.floatNeed()).as("float would not help").isZero();
    account.chunkFreed((int) account.floor() + 10_000);
    assertThat(memory.floatFree()).isEqualTo(memory.bytes() / 2);
  }

  @Test
  void shouldGiveTheFloorBackWhenTheLastChunkIsFreedAfterTheEnd() {
    LogMemory memory = ofDefaults();
    LogAccount account = memory.register().orElseThrow();
    assertThat(account.tryCharge(4096)).isTrue();
    assertThat(account.tryChargeEvent()).isTrue();
    account.close();
    assertThat(memory.registered()).isEqualTo(1);
    account.chunkFreed(4096);
    assertThat(memory.registered()).isEqualTo(1);
    account.eventReserve().chunkFreed(ChunkSizes.EVENT);
    assertThat(memory.registered()).isZero();
    assertThat(memory.floatFree()).isEqualTo(memory.bytes() / 2);
  }

  @Test
  void shouldKeepTheReserveForOneEventUntilItIsFreed() {
    LogAccount account = ofDefaults().register().orElseThrow();
    assertThat(account.tryChargeEvent()).isTrue();
    assertThat(account.tryChargeEvent()).isFalse();
    assertThat(account.charged()).isEqualTo(ChunkSizes.EVENT);
    account.eventReserve().chunkFreed(ChunkSizes.EVENT);
    assertThat(account.tryChargeEvent()).isTrue();
  }
}
