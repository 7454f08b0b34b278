package dev.penstock.transport;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * What an {@link OutputGate} is: whose, for how many consumers, and which of them it dials. By
 * default consumers dial.
 */
public final class OutputGateOptions {
  private final long exchange;
  private final int producer;
  private final int consumers;
  private final int attempt;
  private final MemoryBudget budget;
  private final Map<Integer, InetSocketAddress> pushTargets;

  private OutputGateOptions(Builder builder) {
    this.exchange = builder.exchange;
    this.producer = builder.producer;
    this.consumers = builder.consumers;
    this.attempt = builder.attempt;
    this.budget = builder.budget;
    this.pushTargets = Map.copyOf(builder.pushTargets);
  }

  /**
   * Starts with what has no default.
   *
   * @param exchange the exchange that the gate belongs to
   * @param producer the producer's number
   * @param consumers how many consumers
   * @return a builder
   */
  public static Builder builder(long exchange, int producer, int consumers) {
    return new Builder(exchange, producer, consumers);
  }

  /**
   * The exchange that the gate belongs to.
   *
   * @return u64
   */
  public long exchange() {
    return exchange;
  }

  /**
   * The producer's number.
   *
   * @return u32
   */
  public int producer() {
    return producer;
  }

  /**
   * How many consumers the gate has, numbered from 0.
   *
   * @return 1 or more
   */
  public int consumers() {
    return consumers;
  }

  /**
   * The run. A gate with a higher attempt fences one with a lower one.
   *
   * @return u32; default 0
   */
  public int attempt() {
    return attempt;
  }

  /**
   * The budget for the gate's logs.
   *
   * @return a budget of the same transport; null (default) for the transport's own
   */
  public MemoryBudget budget() {
    return budget;
  }

  /**
   * The consumers that this side dials, by number; all others dial this node.
   *
   * @return where each one's node is bound
   */
  public Map<Integer, InetSocketAddress> pushTargets() {
    return pushTargets;
  }

  /** Builds OutputGateOptions; not thread safe. */
  public static final class Builder {
    private long exchange;
    private int producer;
    private int consumers;
    private int attempt;
    private MemoryBudget budget;
    private Map<Integer, InetSocketAddress> pushTargets = new HashMap<>();

    private Builder(long exchange, int producer, int consumers) {
      this.exchange = exchange;
      this.producer = producer;
      this.consumers = consumers;
    }

    /**
     * The run. A gate with a higher attempt fences one with a lower one.
     *
     * @param value u32; default 0
     * @return this
     */
    public Builder attempt(int value) {
      attempt = value;
      return this;
    }

    /**
     * The budget for the gate's logs.
     *
     * @param value a budget of the same transport; null (default) for the transport's own
     * @return this
     */
    public Builder budget(MemoryBudget value) {
      budget = value;
      return this;
    }

    /**
     * Has this side dial a consumer's node and open the channel; the consumer must add this
     * producer without an address.
     *
     * @param consumer the consumer's number
     * @param node where its node is bound
     * @return this
     */
    public Builder pushTo(int consumer, InetSocketAddress node) {
      Check.range("consumer", consumer, 0, consumers - 1L);
      Check.notNull("node of pushTo", node);
      pushTargets.put(consumer, node);
      return this;
    }

    /**
     * Checks everything and builds.
     *
     * @return the options, immutable
     * @throws IllegalArgumentException if an option is out of range; the message names it
     */
    public OutputGateOptions build() {
      Check.range("consumers", consumers, 1, 1 << 24);
      return new OutputGateOptions(this);
    }
  }
}
