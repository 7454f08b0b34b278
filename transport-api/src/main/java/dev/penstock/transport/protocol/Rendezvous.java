package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.wire.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the gates of a node meet the channels that peers open: it does not matter which comes
 * first. A place is one end of a channel whatever the attempt; it knows the newest attempt that a
 * gate registered, whether a channel has that gate, and the channels that wait for a gate.
 *
 * <p>Pure bookkeeping: it calls nobody. Where lanes run on several threads the shell guards it with
 * one lock and acts on the answers after it has let go of the lock. How many channels may wait is
 * for the lanes to limit.
 *
 * @param <G> a gate's end of one channel; compared by identity
 * @param <W> a channel that a peer opened, for example lane and number; compared by equality
 */
public final class Rendezvous<G, W> {
  /**
   * The answer to {@link #register}.
   *
   * @param <G> a gate's end of one channel
   * @param <W> a channel that a peer opened
   */
  public sealed interface Registration<G, W> {
    /**
     * A newer attempt is registered: the gate is refused.
     *
     * @param newerAttempt the attempt that is registered
     * @param <G> a gate's end of one channel
     * @param <W> a channel that a peer opened
     */
    record Fenced<G, W>(int newerAttempt) implements Registration<G, W> {}

    /**
     * The gate is registered.
     *
     * @param superseded the gate that was registered before, whose channel is to be fenced
     * @param answered the waiting channel that now has the gate; if it turns out to wait no more,
     *     {@link #release} the gate
     * @param refused waiting channels that are to be refused as fenced
     * @param <G> a gate's end of one channel
     * @param <W> a channel that a peer opened
     */
    record Registered<G, W>(Optional<G> superseded, Optional<W> answered, List<W> refused)
        implements Registration<G, W> {}
  }

  /**
   * The answer to {@link #open}.
   *
   * @param <G> a gate's end of one channel
   * @param <W> a channel that a peer opened
   */
  public sealed interface Opening<G, W> {
    /**
     * The channel has a gate; no other channel can get it until {@link #release}.
     *
     * @param gate the gate
     * @param <G> a gate's end of one channel
     * @param <W> a channel that a peer opened
     */
    record Accepted<G, W>(G gate) implements Opening<G, W> {}

    /**
     * There is no gate yet: the channel waits.
     *
     * @param refused waiting channels of the same or an older attempt, to be refused as fenced: who
     *     opens a key again has given the earlier channel up
     * @param <G> a gate's end of one channel
     * @param <W> a channel that a peer opened
     */
    record Waits<G, W>(List<W> refused) implements Opening<G, W> {}

    /**
     * A newer attempt is registered, or the key has a channel already.
     *
     * @param registeredAttempt the attempt that is registered
     * @param <G> a gate's end of one channel
     * @param <W> a channel that a peer opened
     */
    record Fenced<G, W>(int registeredAttempt) implements Opening<G, W> {}
  }

  private record Slot(Role role, long exchange, int producer, int consumer) {}

  private record Waiting<W>(int attempt, W channel) {}

  private static final class Place<G, W> {
    G gate;
    int attempt;
    boolean taken;
    final List<Waiting<W>> waiting = new ArrayList<>();

    boolean isEmpty() {
      return gate == null && waiting.isEmpty();
    }
  }

  private final Map<Slot, Place<G, W>> places = new HashMap<>();
  private int waitingChannels;

  /** Creates one without gates and channels. */
  public Rendezvous() {}

  /**
   * A gate takes an end of a channel.
   *
   * @param role what the gate is on the channel
   * @param key the channel
   * @param gate the gate's end
   * @param opens whether this side opens the channel, so that no peer's channel can have the gate
   * @return what to do
   */
  public Registration<G, W> register(Role role, ChannelKey key, G gate, boolean opens) {
    Place<G, W> place = places.computeIfAbsent(slot(role, key), slot -> new Place<>());
    if (place.gate != null && Integer.compareUnsigned(key.attempt(), place.attempt) < 0) {
      return new Registration.Fenced<>(place.attempt);
    }
    Optional<G> superseded = Optional.ofNullable(place.gate);
    place.gate = gate;
    place.attempt = key.attempt();
    place.taken = opens;
    Optional<W> answered = Optional.empty();
    List<W> refused = new ArrayList<>();
    for (Iterator<Waiting<W>> it = place.waiting.iterator(); it.hasNext(); ) {
      Waiting<W> next = it.next();
      int order = Integer.compareUnsigned(next.attempt, place.attempt);
      if (order > 0) {
        continue;
      }
      it.remove();
      waitingChannels--;
      if (order == 0 && !place.taken) {
        place.taken = true;
        answered = Optional.of(next.channel);
      } else {
        refused.add(next.channel);
      }
    }
    return new Registration.Registered<>(superseded, answered, refused);
  }

  /**
   * A gate gives its end up, or is over. Without effect when another gate has taken its place.
   *
   * @param role what the gate is on the channel
   * @param key the channel
   * @param gate the gate's end
   */
  public void unregister(Role role, ChannelKey key, G gate) {
    Slot slot = slot(role, key);
    Place<G, W> place = places.get(slot);
    if (place != null && place.gate == gate) {
      place.gate = null;
      place.taken = false;
      forgetIfEmpty(slot, place);
    }
  }

  /**
   * The channel that had a gate never came to be: another may have the gate.
   *
   * @param role what the gate is on the channel
   * @param key the channel
   * @param gate the gate's end
   * @return whether the gate is still registered, and free now
   */
  public boolean release(Role role, ChannelKey key, G gate) {
    Place<G, W> place = places.get(slot(role, key));
    if (place == null || place.gate != gate) {
      return false;
    }
    place.taken = false;
    return true;
  }

  /**
   * A peer opened a channel.
   *
   * @param role what this side would be
   * @param key the channel
   * @param channel what waits if there is no gate
   * @return what to do
   */
  public Opening<G, W> open(Role role, ChannelKey key, W channel) {
    Place<G, W> place = places.computeIfAbsent(slot(role, key), slot -> new Place<>());
    if (place.gate != null) {
      int order = Integer.compareUnsigned(key.attempt(), place.attempt);
      if (order < 0 || (order == 0 && place.taken)) {
        return new Opening.Fenced<>(place.attempt);
      }
      if (order == 0) {
        place.taken = true;
        return new Opening.Accepted<>(place.gate);
      }
    }
    List<W> refused = new ArrayList<>();
    for (Iterator<Waiting<W>> it = place.waiting.iterator(); it.hasNext(); ) {
      Waiting<W> earlier = it.next();
      if (Integer.compareUnsigned(earlier.attempt, key.attempt()) <= 0) {
        it.remove();
        waitingChannels--;
        refused.add(earlier.channel);
      }
    }
    place.waiting.add(new Waiting<>(key.attempt(), channel));
    waitingChannels++;
    return new Opening.Waits<>(refused);
  }

  /**
   * A channel waits no more: its deadline passed, the peer gave it up, or its lane is dead. Without
   * effect when it was answered or refused.
   *
   * @param role what this side would have been
   * @param key the channel
   * @param channel what waited
   */
  public void stoppedWaiting(Role role, ChannelKey key, W channel) {
    Slot slot = slot(role, key);
    Place<G, W> place = places.get(slot);
    if (place != null && place.waiting.removeIf(next -> next.channel.equals(channel))) {
      waitingChannels--;
      forgetIfEmpty(slot, place);
    }
  }

  private void forgetIfEmpty(Slot slot, Place<G, W> place) {
    if (place.isEmpty()) {
      places.remove(slot);
    }
  }

  private static Slot slot(Role role, ChannelKey key) {
    return new Slot(role, key.exchange(), key.producer(), key.consumer());
  }

  /**
   * How many channels wait for a gate.
   *
   * @return 0 or more
   */
  public int waiting() {
    return waitingChannels;
  }

  /**
   * How many ends of channels have a gate or waiting channels.
   *
   * @return 0 or more
   */
  public int places() {
    return places.size();
  }
}
