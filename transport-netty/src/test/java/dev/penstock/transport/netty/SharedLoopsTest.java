package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.testkit.Received;
import dev.penstock.transport.testkit.TransportFixture;
import io.netty.util.internal.PlatformDependent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose event loops transports run on. */
class SharedLoopsTest extends TransportFixture {
  private final Set<String> threads = ConcurrentHashMap.newKeySet();

  @Override
  protected TransportOptions.Builder options() {
    return Wiring.SBE_NIO.options();
  }

  @Override
  protected void assertNothingHeld(Transport closed) {
    Leaks.assertNothingHeld(closed);
  }

  @AfterAll
  static void assertNoLeaks() {
    Leaks.assertNoneReported();
  }

  private Transport noting(int loops, String name) throws Exception {
    return node(
        options -> options.eventLoops(loops).nodeName(name).listener(new NotingListener(threads)));
  }

  /** Notes the threads that it is called on. */
  private record NotingListener(Set<String> threads) implements TransportListener {
    @Override
    public void onChannelOpened(ChannelKey key, Direction direction) {
      threads.add(Thread.currentThread().getName());
    }
  }

  private void exchange(long exchange, Transport producers, Transport consumers) throws Exception {
    OutputGate out = output(producers, exchange, 0, 1);
    InputGate in = input(consumers, exchange, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    send(out, 0, message(0, 100));
    var finished = out.finish();
    Received received = new Received();
    pollToEnd(in, received);
    get(finished).orThrow();
    assertThat(received.messages(0)).hasSize(1);
  }

  /** However the operating system numbers connections: several, one after the other. */
  @Test
  void shouldKeepBothEndsOfAConnectionOnOneSharedLoop() throws Exception {
    Transport one = noting(0, "one");
    for (int other = 0; other < 5; other++) {
      threads.clear();
      exchange(other, noting(0, "other"), one);
      assertThat(threads).hasSize(1).allMatch(name -> name.startsWith("penstock-shared"));
    }
  }

  @Test
  void shouldGiveATransportLoopsOfItsOwnWhenItAsks() throws Exception {
    exchange(1, noting(1, "one"), noting(2, "other"));
    assertThat(threads).hasSize(2);
    assertThat(threads).anyMatch(name -> name.startsWith("penstock-one"));
    assertThat(threads).anyMatch(name -> name.startsWith("penstock-other"));
  }

  @Test
  void shouldKeepSharedLoopsForThoseThatAreLeft() throws Exception {
    Transport closedFirst = noting(0, "first");
    Transport second = noting(0, "second");
    Transport third = noting(0, "third");
    closedFirst.close();
    exchange(1, second, third);
    second.close();
    third.close();
    exchange(2, noting(0, "fourth"), noting(0, "fifth"));
  }

  /** An Error below the handlers ends a thread: those who come later are not to suffer for it. */
  @Test
  void shouldStartSharedLoopsAnewWhenOneOfThemHasDied() throws Exception {
    Transport unlucky = noting(0, "unlucky");
    exchange(1, unlucky, noting(0, "peer"));
    ((NettyTransport) unlucky)
        .loops()
        .loop(0)
        .shutdownGracefully(0, 0, TimeUnit.SECONDS)
        .awaitUninterruptibly();
    exchange(2, noting(0, "later"), noting(0, "later still"));
    unlucky.close();
    exchange(3, noting(0, "last"), noting(0, "last but one"));
  }

  /** What threads keep of an allocator lasts as long as they do. */
  @Test
  void shouldNotPileUpMemoryOfTransportsThatComeAndGo() throws Exception {
    Transport stays = noting(0, "stays");
    exchangeWithGuest(0, stays);
    long before = PlatformDependent.usedDirectMemory();
    for (int guest = 1; guest <= 10; guest++) {
      exchangeWithGuest(guest, stays);
    }
    assertThat(PlatformDependent.usedDirectMemory()).isLessThan(before + (10 << 20));
  }

  /** What an application's thread keeps of an allocator lasts as long as it does, too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldNotPileUpMemoryInAThreadThatOpensOneTransportAfterTheOther(int loops)
      throws Exception {
    exchangeAndClose(0, loops);
    long before = PlatformDependent.usedDirectMemory();
    for (int round = 1; round <= 10; round++) {
      exchangeAndClose(round, loops);
    }
    assertThat(PlatformDependent.usedDirectMemory()).isLessThan(before + (40 << 20));
  }

  private void exchangeAndClose(int exchange, int loops) throws Exception {
    Transport one = noting(loops, "one");
    Transport other = noting(loops, "other");
    exchange(exchange, one, other);
    one.close();
    other.close();
  }

  private void exchangeWithGuest(int exchange, Transport host) throws Exception {
    Transport guest = noting(0, "guest");
    exchange(exchange, host, guest);
    guest.close();
  }
}
