package dev.penstock.transport;

/** What an {@link InputGate} is. */
public final class InputGateOptions {
  private final long exchange;
  private final int consumer;
  private final int attempt;
  private final MemoryBudget budget;
  private final boolean assemble;
  private final MessageHandler loopHandler;

  private InputGateOptions(Builder builder) {
    this.exchange = builder.exchange;
    this.consumer = builder.consumer;
    this.attempt = builder.attempt;
    this.budget = builder.budget;
    this.assemble = builder.assemble;
    this.loopHandler = builder.loopHandler;
  }

  /**
   * Starts with what has no default.
   *
   * @param exchange the exchange that the gate belongs to
   * @param consumer the consumer's number
   * @return a builder
   */
  public static Builder builder(long exchange, int consumer) {
    return new Builder(exchange, consumer);
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
   * The consumer's number.
   *
   * @return u32
   */
  public int consumer() {
    return consumer;
  }

  /**
   * The run. Must be the producers' attempt; a gate with a higher one fences one with a lower one.
   *
   * @return u32; default 0
   */
  public int attempt() {
    return attempt;
  }

  /**
   * The budget that credit comes from.
   *
   * @return a budget of the same transport; null (default) for the transport's own
   */
  public MemoryBudget budget() {
    return budget;
  }

  /**
   * Whether messages that came in pieces are put together before they are handed out.
   *
   * @return default true; false hands out pieces
   */
  public boolean assemble() {
    return assemble;
  }

  /**
   * A handler to run on the event loop, where it must not block: one thread hop less. The gate is
   * then not polled. Calls for one producer come one after the other; calls for different producers
   * may come at the same time, for their connections may be on different loops.
   *
   * @return the handler, or null (default) to poll
   */
  public MessageHandler loopHandler() {
    return loopHandler;
  }

  /** Builds InputGateOptions; not thread safe. */
  public static final class Builder {
    private long exchange;
    private int consumer;
    private int attempt;
    private MemoryBudget budget;
    private boolean assemble = true;
    private MessageHandler loopHandler = null;

    private Builder(long exchange, int consumer) {
      this.exchange = exchange;
      this.consumer = consumer;
    }

    /**
     * The run. Must be the producers' attempt; a gate with a higher one fences one with a lower
     * one.
     *
     * @param value u32; default 0
     * @return this
     */
    public Builder attempt(int value) {
      attempt = value;
      return this;
    }

    /**
     * The budget that credit comes from.
     *
     * @param value a budget of the same transport; null (default) for the transport's own
     * @return this
     */
    public Builder budget(MemoryBudget value) {
      budget = value;
      return this;
    }

    /**
     * Whether messages that came in pieces are put together before they are handed out.
     *
     * @param value default true; false hands out pieces
     * @return this
     */
    public Builder assemble(boolean value) {
      assemble = value;
      return this;
    }

    /**
     * A handler to run on the event loop, where it must not block: one thread hop less. The gate is
     * then not polled. Calls for one producer come one after the other; calls for different
     * producers may come at the same time, for their connections may be on different loops.
     *
     * @param value the handler, or null (default) to poll
     * @return this
     */
    public Builder loopHandler(MessageHandler value) {
      loopHandler = value;
      return this;
    }

    /**
     * Checks everything and builds.
     *
     * @return the options, immutable
     * @throws IllegalArgumentException if an option is out of range; the message names it
     */
    public InputGateOptions build() {
      return new InputGateOptions(this);
    }
  }
}
