package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.protocol.Rendezvous.Opening;
import dev.penstock.transport.protocol.Rendezvous.Registration;
import dev.penstock.transport.wire.Role;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RendezvousTest {
  private final Rendezvous<String, Integer> rendezvous = new Rendezvous<>();

  private static ChannelKey attempt(int attempt) {
    return new ChannelKey(7, 1, 2, attempt);
  }

  private Registration<String, Integer> register(int attempt, String gate) {
    return rendezvous.register(Role.SENDER, attempt(attempt), gate, false);
  }

  private Opening<String, Integer> open(int attempt, int channel) {
    return rendezvous.open(Role.SENDER, attempt(attempt), channel);
  }

  private static Registration<String, Integer> registered(
      String superseded, Integer answered, Integer... refused) {
    return new Registration.Registered<>(
        Optional.ofNullable(superseded), Optional.ofNullable(answered), List.of(refused));
  }

  private static Opening<String, Integer> waits(Integer... refused) {
    return new Opening.Waits<>(List.of(refused));
  }

  @Test
  void shouldGiveTheGateToAChannelThatComesAfterIt() {
    assertThat(register(0, "gate")).isEqualTo(registered(null, null));
    assertThat(open(0, 11)).isEqualTo(new Opening.Accepted<>("gate"));
  }

  @Test
  void shouldAnswerAChannelThatCameBeforeTheGate() {
    assertThat(open(0, 11)).isEqualTo(waits());
    assertThat(rendezvous.waiting()).isEqualTo(1);
    assertThat(register(0, "gate")).isEqualTo(registered(null, 11));
    assertThat(rendezvous.waiting()).isZero();
  }

  @Test
  void shouldKeepTheEndsOfAChannelApart() {
    rendezvous.register(Role.RECEIVER, attempt(0), "other end", false);
    rendezvous.register(Role.SENDER, new ChannelKey(7, 1, 3, 0), "other consumer", false);
    assertThat(open(0, 11)).isEqualTo(waits());
  }

  @Test
  void shouldFenceAnOlderAttempt() {
    register(3, "gate");
    assertThat(open(2, 11)).isEqualTo(new Opening.Fenced<>(3));
  }

  @Test
  void shouldOrderAttemptsAsUnsignedNumbers() {
    register(-1, "gate");
    assertThat(open(1, 11)).isEqualTo(new Opening.Fenced<>(-1));
  }

  @Test
  void shouldFenceASecondChannelOfALiveKey() {
    register(0, "gate");
    open(0, 11);
    assertThat(open(0, 12)).isEqualTo(new Opening.Fenced<>(0));
  }

  @Test
  void shouldFenceAPeersChannelOfAKeyThatThisSideOpens() {
    assertThat(open(0, 11)).isEqualTo(waits());
    assertThat(rendezvous.register(Role.SENDER, attempt(0), "gate", true))
        .isEqualTo(registered(null, null, 11));
    assertThat(open(0, 12)).isEqualTo(new Opening.Fenced<>(0));
  }

  @Test
  void shouldLetANewerAttemptWaitForItsGate() {
    register(0, "old");
    open(0, 11);
    assertThat(open(1, 12)).isEqualTo(waits());
    assertThat(register(1, "new")).isEqualTo(registered("old", 12));
  }

  @Test
  void shouldRefuseOlderWaitingChannelsWhenANewerAttemptRegisters() {
    open(2, 12);
    open(0, 11);
    assertThat(register(1, "gate")).isEqualTo(registered(null, null, 11));
    assertThat(rendezvous.waiting()).isEqualTo(1);
    assertThat(register(2, "newer")).isEqualTo(registered("gate", 12));
  }

  @Test
  void shouldRefuseWaitingChannelsWhenANewerAttemptIsOpened() {
    open(0, 11);
    assertThat(open(1, 12)).isEqualTo(waits(11));
    assertThat(rendezvous.waiting()).isEqualTo(1);
  }

  @Test
  void shouldPreferTheLaterOfTwoWaitingChannelsOfOneAttempt() {
    open(0, 11);
    assertThat(open(0, 12)).isEqualTo(waits(11));
    assertThat(register(0, "gate")).isEqualTo(registered(null, 12));
  }

  @Test
  void shouldFenceAGateOfAnOlderAttempt() {
    register(5, "gate");
    assertThat(register(4, "late")).isEqualTo(new Registration.Fenced<>(5));
    assertThat(open(5, 11)).isEqualTo(new Opening.Accepted<>("gate"));
  }

  @Test
  void shouldLetAnotherChannelHaveAGateThatWasReleased() {
    open(0, 11);
    register(0, "gate");
    rendezvous.release(Role.SENDER, attempt(0), "gate");
    assertThat(open(0, 12)).isEqualTo(new Opening.Accepted<>("gate"));
  }

  @Test
  void shouldIgnoreAGateThatIsNotTheRegisteredOne() {
    register(0, "old");
    register(0, "new");
    rendezvous.unregister(Role.SENDER, attempt(0), "old");
    rendezvous.release(Role.SENDER, attempt(0), "old");
    assertThat(open(0, 11)).isEqualTo(new Opening.Accepted<>("new"));
  }

  @Test
  void shouldForgetPlacesWithoutGateAndChannels() {
    register(0, "gate");
    open(1, 11);
    rendezvous.unregister(Role.SENDER, attempt(0), "gate");
    assertThat(rendezvous.places()).isEqualTo(1);
    rendezvous.stoppedWaiting(Role.SENDER, attempt(1), 11);
    rendezvous.stoppedWaiting(Role.SENDER, attempt(1), 11);
    assertThat(rendezvous.places()).isZero();
    assertThat(rendezvous.waiting()).isZero();
  }
}
