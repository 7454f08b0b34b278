package dev.penstock.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void shouldTakeTheMiddleOfAnOddNumberOfValues() {
    assertEquals(new Spread(3, 1, 9), Spread.of(List.of(9.0, 1.0, 3.0)));
  }

  @Test
  void shouldTakeTheMeanOfTheTwoMiddleOnesOfAnEvenNumber() {
    assertEquals(new Spread(2.5, 1, 9), Spread.of(List.of(9.0, 1.0, 2.0, 3.0)));
  }

  @Test
  void shouldRefuseNoValues() {
    assertThrows(IllegalArgumentException.class, () -> Spread.of(List.of()));
  }
}
