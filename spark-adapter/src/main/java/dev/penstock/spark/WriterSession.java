package dev.penstock.spark;

/** A writing task as the control channel sees it. */
final class WriterSession {
  /** Ends a writer that nobody needs any more. */
  static final class NotNeededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotNeededException() {
      super("nobody reads this any more", null, false, false);
    }
  }

  private final GenerationKey key;
  private volatile boolean notNeeded;
  private volatile String failure;
  private volatile Runnable flush = () -> {};

  WriterSession(GenerationKey key) {
    this.key = key;
  }

  GenerationKey key() {
    return key;
  }

  void notNeeded() {
    notNeeded = true;
  }

  void fail(String reason) {
    failure = reason;
  }

  void onFlush(Runnable action) {
    flush = action;
  }

  void flushOld() {
    flush.run();
  }

  /** Throws if there is no reason to go on. */
  void check() {
    if (notNeeded) {
      throw new NotNeededException();
    }
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
  }
}
