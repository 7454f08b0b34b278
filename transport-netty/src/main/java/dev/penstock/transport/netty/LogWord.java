package dev.penstock.transport.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * All that an append log's writer and its lane's loop must agree on, in one 64-bit word: the low 32
 * bits of the committed position, the low 27 bits of the committed sequence, and flags. Every step
 * of either side is one atomic read-modify-write of this word, so no two of their decisions can
 * miss each other, and no fence is needed beside it:
 *
 * <ul>
 *   <li>publishing a message and learning that the loop sleeps;
 *   <li>going to sleep unless a message was published;
 *   <li>entering the chunk and learning that it was taken away;
 *   <li>taking an empty chunk away unless the writer is in it;
 *   <li>closing, and agreeing which of the two frees the chunks.
 * </ul>
 */
final class LogWord {
  /** The writer is between claim and commit: the chunks are not to be taken away. Writer only. */
  static final long CLAIMED = 1;

  /** The writer has no chunk. Set by the loop, cleared by the writer. */
  static final long DETACHED = 1 << 1;

  /** The current chunk is to be taken away as soon as it is empty, whatever its size. */
  static final long WANTED = 1 << 2;

  /**
   * The loop has sent everything and sleeps: who commits must wake it. Set by the loop; who clears
   * it acts on it.
   */
  static final long IDLE = 1 << 3;

  /** The channel is over. Set by the loop, for ever. */
  static final long CLOSED = 1 << 4;

  /** More messages than may ever be committed and not yet seen by the loop. */
  static final int MAX_UNSEEN_MESSAGES = 1 << 27;

  private static final int SEQUENCE_SHIFT = 5;
  private static final long SEQUENCE_ONE = 1L << SEQUENCE_SHIFT;
  private static final int SEQUENCE_MASK = MAX_UNSEEN_MESSAGES - 1;
  private static final int POSITION_SHIFT = 32;
  private static final long POSITION_ONE = 1L << POSITION_SHIFT;

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(LogWord.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // through WORD
  private volatile long word;

  LogWord(long position, long sequence) {
    word =
        position << POSITION_SHIFT | (sequence & SEQUENCE_MASK) << SEQUENCE_SHIFT | DETACHED | IDLE;
  }

  /**
   * The committed position of {@code word}, given one that was seen before and less than 4 GiB ago.
   */
  static long position(long word, long seen) {
    return seen + Integer.toUnsignedLong((int) (word >>> POSITION_SHIFT) - (int) seen);
  }

  /** The committed sequence of {@code word}, given one that was seen before. */
  static long sequence(long word, long seen) {
    return seen + (((int) (word >>> SEQUENCE_SHIFT) - (int) seen) & SEQUENCE_MASK);
  }

  long get() {
    return (long) WORD.getVolatile(this);
  }

  /** Writer: enters. Answers the word before. */
  long claim() {
    return (long) WORD.getAndAdd(this, CLAIMED);
  }

  /**
   * Writer: publishes one message and leaves. Answers the word before.
   *
   * @param bytes of the record
   * @param sequence of the message
   */
  long publish(int bytes, long sequence) {
    long delta = ((long) bytes << POSITION_SHIFT) + SEQUENCE_ONE - CLAIMED;
    if ((sequence & SEQUENCE_MASK) == SEQUENCE_MASK) {
      delta -= POSITION_ONE; // the carry out of the sequence
    }
    return (long) WORD.getAndAdd(this, delta);
  }

  /** Sets and clears flags. Answers the word before. */
  long alter(long set, long clear) {
    long old;
    do {
      old = get();
    } while (!replace(old, (old & ~clear) | set));
    return old;
  }

  boolean replace(long expected, long update) {
    return WORD.compareAndSet(this, expected, update);
  }

  /** Clears {@link #IDLE}. Answers whether this call did: only one caller wins. */
  boolean clearIdle() {
    return (alter(0, IDLE) & IDLE) != 0;
  }
}
