package dev.penstock.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PairingTest {
  private static final String METRIC = "mb_per_s";

  @Test
  void shouldDivideByTheMeanOfTheNeighboursBeforeAndAfter() {
    Pairing pairing =
        new Pairing(List.of(anchor(100), mine(60), anchor(200), mine(150), anchor(400)));

    assertEquals(List.of(60 / 150.0, 150 / 300.0), ratios(pairing, "anchor"));
  }

  @Test
  void shouldLookPastOtherSystems() {
    Pairing pairing =
        new Pairing(
            List.of(
                anchor(100), sample("W1/1x1", "third", 1), mine(50), sample("W1/1x1", "third", 2)));

    assertEquals(List.of(0.5), ratios(pairing, "anchor"));
    assertEquals(List.of(50 / 1.5), ratios(pairing, "third"));
  }

  @Test
  void shouldUseTheOneNeighbourThatThereIs() {
    assertEquals(List.of(2.0), ratios(new Pairing(List.of(mine(20), anchor(10))), "anchor"));
  }

  @Test
  void shouldHaveNoRatioWithoutNeighbour() {
    assertEquals(List.of(), ratios(new Pairing(List.of(mine(20))), "anchor"));
  }

  @Test
  void shouldHaveNoRatioToNothing() {
    assertEquals(List.of(), ratios(new Pairing(List.of(anchor(0), mine(20))), "anchor"));
  }

  @Test
  void shouldBeOneForTheOtherItself() {
    Pairing pairing = new Pairing(List.of(anchor(10), anchor(30)));

    assertEquals(List.of(1.0, 1.0), pairing.ratios("W1/1x1", "anchor", "W1/1x1", "anchor", METRIC));
  }

  @Test
  void shouldCompareAcrossWorkloadsWhereTheAnchorHasItsOwn() {
    Pairing pairing = new Pairing(List.of(anchor(100), sample("W2/4x4", "anchor", 80)));

    assertEquals(List.of(0.8), pairing.ratios("W2/4x4", "anchor", "W1/1x1", "anchor", METRIC));
  }

  private static List<Double> ratios(Pairing pairing, String other) {
    return pairing.ratios("W1/1x1", "mine", "W1/1x1", other, METRIC);
  }

  private static Sample anchor(double value) {
    return sample("W1/1x1", "anchor", value);
  }

  private static Sample mine(double value) {
    return sample("W1/1x1", "mine", value);
  }

  private static Sample sample(String workload, String system, double value) {
    return new Sample(workload, system, 1, "1", "17", Map.of(METRIC, value));
  }
}
