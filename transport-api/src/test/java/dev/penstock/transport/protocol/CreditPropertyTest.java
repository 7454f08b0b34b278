package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.testkit.SeedOnFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Windows on one budget, driven by any order of what senders, applications and the budget do. */
class CreditPropertyTest {
  private static final int CASES = 300;
  private static final int STEPS = 400;

  @RegisterExtension final SeedOnFailure seed = new SeedOnFailure("penstock.credit.seed");

  @Test
  void shouldConserveCredit() {
    Random random = new Random(seed.value());
    for (int i = 0; i < CASES; i++) {
      new Run(random).run();
    }
  }

  /** A channel: its window, and what its sender and its application have done. */
  private static final class Channel {
    final CreditShare share;
    final CreditWindow window;
    long committed;
    long sent;
    long limitSeen;
    boolean closed;

    Channel(CreditShare share) {
      this.share = share;
      this.window = new CreditWindow(share);
    }
  }

  private static final class Run implements CreditPool, CreditShare.Listener {
    private final Random random;
    private final CreditBudget budget;
    private final long cap;
    private final List<Channel> channels = new ArrayList<>();
    private final List<CreditShare> woken = new ArrayList<>();

    Run(Random random) {
      this.random = random;
      this.budget = new CreditBudget(4_096 + random.nextInt(1 << 20), 1 + random.nextInt(40));
      this.cap = random.nextInt(1 << random.nextInt(20));
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        if (channels.isEmpty() || random.nextInt(12) == 0) {
          register();
        } else {
          act(channels.get(random.nextInt(channels.size())));
        }
        check();
      }
      for (Channel channel : channels) {
        close(channel);
        channel.window.consumed(channel.sent);
        check();
      }
      assertThat(budget.reserved()).as("floors at the end").isZero();
      assertThat(budget.floated()).as("float at the end").isZero();
      assertThat(budget.nextToWake()).as("who waits at the end").isNull();
    }

    private void register() {
      boolean roomForAFloor = budget.reserved() + budget.floor() <= budget.bytes() / 2;
      CreditShare share = budget.register(this, this, cap);
      assertThat(share != null).as("whether there was a floor").isEqualTo(roomForAFloor);
      if (share != null) {
        channels.add(new Channel(share));
      }
    }

    private void act(Channel channel) {
      CreditWindow window = channel.window;
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> {
          channel.committed += random.nextInt(1 << random.nextInt(20));
          announce(channel);
        }
        case 3, 4 -> {
          long credit = window.announcedLimit() - channel.sent;
          long most = Math.min(credit, channel.committed - channel.sent);
          if (!channel.closed && most > 0) {
            channel.sent += 1 + (long) (random.nextDouble() * (most - 1));
            announce(channel);
          }
        }
        case 5, 6, 7 -> {
          long held = channel.sent - window.consumed();
          if (held > 0) {
            window.consumed(window.consumed() + 1 + (long) (random.nextDouble() * (held - 1)));
          }
        }
        case 8 -> {
          if (!channel.closed) {
            window.demanded();
            window.raise();
            window.announce();
          }
        }
        default -> {
          if (random.nextInt(8) == 0) {
            close(channel);
          }
        }
      }
      wake();
    }

    private void announce(Channel channel) {
      channel.window.announced(channel.committed);
      channel.window.raise();
      if (!channel.closed && channel.window.shouldAnnounce(channel.sent)) {
        channel.window.announce();
      }
    }

    private void close(Channel channel) {
      channel.closed = true;
      channel.window.close(channel.sent);
      wake();
    }

    /** The lanes of those that waited ask again, in any order. */
    private void wake() {
      while (!woken.isEmpty()) {
        CreditShare share = woken.remove(random.nextInt(woken.size()));
        for (Channel channel : channels) {
          if (channel.share == share) {
            channel.window.raise();
          }
        }
      }
    }

    private void check() {
      long granted = 0;
      long floated = 0;
      for (Channel channel : channels) {
        CreditWindow window = channel.window;
        floated += window.floated();
        if (channel.closed) {
          granted += channel.sent - window.consumed();
          continue;
        }
        granted += window.limit() - window.consumed();
        assertThat(window.limit()).as("never lowered").isGreaterThanOrEqualTo(channel.limitSeen);
        channel.limitSeen = window.limit();
        assertThat(window.limit())
            .as("consumed and floor")
            .isGreaterThanOrEqualTo(window.consumed() + window.floor());
        assertThat(window.limit()).isLessThanOrEqualTo(window.consumed() + window.floor() + cap);
        assertThat(window.announcedLimit()).isLessThanOrEqualTo(window.limit());
        if (window.consumed() == channel.sent && window.unannounced()) {
          assertThat(window.shouldAnnounce(channel.sent)).as("nothing is held").isTrue();
        }
      }
      assertThat(budget.floated()).as("what the windows float").isEqualTo(floated);
      assertThat(granted).isLessThanOrEqualTo(budget.reserved() + budget.floated());
      assertThat(budget.reserved() + budget.floated()).isLessThanOrEqualTo(budget.bytes());
    }

    @Override
    public long take(CreditShare share, long want) {
      long taken = budget.take(share, want);
      assertThat(taken).isBetween(0L, want);
      return taken;
    }

    @Override
    public void give(long bytes) {
      budget.give(bytes);
      for (CreditShare next = budget.nextToWake(); next != null; next = budget.nextToWake()) {
        next.notifyFloatAvailable();
      }
    }

    @Override
    public void unregister(CreditShare share) {
      budget.unregister(share);
    }

    @Override
    public void onFloatAvailable(CreditShare share) {
      woken.add(share);
    }
  }
}
