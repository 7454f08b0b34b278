package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlotLedgerTest {
  private final SlotLedger ledger = new SlotLedger();

  @Test
  void shouldLetInWhatFitsAndNothingMore() {
    assertThat(ledger.admit(6, 3, false, 10)).isNotNull();
    assertThat(ledger.admit(5, 2, false, 10)).isNull();
    assertThat(ledger.admit(4, 2, false, 10)).isNotNull();
    assertThat(ledger.inUse()).isEqualTo(10);
  }

  @Test
  void shouldCountTasksOfOthers() {
    ledger.started(7);
    ledger.started(7);
    assertThat(ledger.admit(9, 3, false, 10)).isNull();
    ledger.ended(7);
    assertThat(ledger.admit(9, 3, false, 10)).isNotNull();
  }

  @Test
  void shouldNotCountAGroupsOwnTasksTwice() {
    ledger.started(1);
    ledger.started(1);
    ledger.grouped(1);

    assertThat(ledger.admit(10, 2, false, 10)).isNotNull();
    ledger.ended(1);
    assertThat(ledger.inUse()).isEqualTo(10);
  }

  @Test
  void shouldAskAgainForWhatWasNotForeseen() {
    SlotLedger.Group group = ledger.admit(5, 2, false, 10);

    assertThat(ledger.launch(group, 3, 10)).isTrue();
    assertThat(ledger.inUse()).isEqualTo(5);
    assertThat(ledger.launch(group, 3, 10)).isTrue();
    assertThat(ledger.inUse()).isEqualTo(8);
    assertThat(ledger.launch(group, 3, 10)).isFalse();
  }

  @Test
  void shouldGiveBackAllOfAGroup() {
    SlotLedger.Group group = ledger.admit(10, 2, false, 10);
    ledger.release(group);

    assertThat(ledger.inUse()).isZero();
  }
}
