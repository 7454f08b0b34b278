package dev.penstock.transport.netty;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Record;
import java.nio.ByteBuffer;

/**
 * The loop's side of an {@link AppendLog}: finds cuts, gives out bytes, frees what is acknowledged.
 *
 * <p>Used on the lane's loop, except {@link #acknowledged} (any thread) and {@link #free}, which
 * runs once, on the thread that {@link LogWord} chose.
 */
final class LogReader {
  private final LogWord word;
  private final LogAccount account;
  private final SegmentWriter segments;
  private final PayloadSum sum = new PayloadSum();

  /** The oldest chunk; while the log is empty perhaps one without memory. */
  private Chunk head;

  private volatile long acknowledged;
  private boolean released;

  /** A snapshot of what is committed. */
  private long committed;

  private long committedSequence;

  /**
   * Where the last cut ended: its chunk, the messages that end before it, the end of the record it
   * lies in or 0.
   */
  private Chunk at;

  private long position;
  private long sequence;
  private long recordEnd;

  /** Where the last cut began. */
  private Chunk cutChunk;

  /** Filled in by {@link #findEnd}. */
  private long end;

  private long endSequence;
  private long walked;

  LogReader(LogWord word, LogAccount account, SegmentWriter segments, Chunk first) {
    this.word = word;
    this.account = account;
    this.segments = segments;
    head = first;
    at = first;
    cutChunk = first;
    position = first.start;
    sequence = first.startSequence;
    committed = first.start;
    committedSequence = first.startSequence;
    acknowledged = first.start;
  }

  long committedPosition() {
    look(word.get());
    return committed;
  }

  long committedSequence() {
    look(word.get());
    return committedSequence;
  }

  /** Up to where the receiver has everything. */
  long acknowledged() {
    return acknowledged;
  }

  long summedByLoop() {
    return sum.summed();
  }

  long walkedByLoop() {
    return walked;
  }

  boolean tryIdle() {
    if (released) {
      return true;
    }
    long now;
    do {
      reap();
      now = word.get();
      look(now);
      if (committed != position && committed != acknowledged) {
        return false;
      }
    } while (isWantedBack(now) || !word.replace(now, now | LogWord.IDLE));
    return true;
  }

  /** Whether the writer left an empty chunk after the last look. */
  private boolean isWantedBack(long now) {
    return (now & (LogWord.WANTED | LogWord.CLAIMED | LogWord.DETACHED)) == LogWord.WANTED
        && committed == acknowledged;
  }

  boolean cut(long from, int maxLength, int pieceLength, FrameCut cut) {
    if (released || maxLength <= 0) {
      return false;
    }
    if (from != position) {
      seek(from);
    }
    if (from >= committed) {
      look(word.get());
      if (from >= committed) {
        return false;
      }
    }
    skipFinished();
    if (recordEnd > from) {
      return cutPiece(from, maxLength, pieceLength, cut);
    }
    findEnd(Math.min(committed, from + maxLength));
    if (end == from) {
      return cutFirstPiece(from, maxLength, pieceLength, cut);
    }
    cut.messages = (int) (endSequence - sequence);
    cut.flags = 0;
    take(from, end, cut);
    sequence = endSequence;
    return true;
  }

  private boolean cutFirstPiece(long from, int maxLength, int pieceLength, FrameCut cut) {
    int total = recordBytes(at, from);
    if (total <= pieceLength || maxLength < pieceLength) {
      return false;
    }
    recordEnd = from + total;
    if (!cutPiece(from, maxLength, pieceLength, cut)) {
      recordEnd = 0;
      return false;
    }
    return true;
  }

  private boolean cutPiece(long from, int maxLength, int pieceLength, FrameCut cut) {
    long rest = recordEnd - from;
    long least = Math.min(rest, pieceLength);
    if (maxLength < least) {
      return false;
    }
    boolean last = rest <= maxLength;
    long to = last ? recordEnd : sumBoundary(from, from + Math.max(least, 1), from + maxLength);
    cut.messages = last ? 1 : 0;
    cut.flags = last ? Frames.PIECE | Frames.LAST_PIECE : Frames.PIECE;
    take(from, to, cut);
    if (last) {
      sequence++;
      recordEnd = 0;
    }
    return true;
  }

  private void take(long from, long to, FrameCut cut) {
    cut.length = (int) (to - from);
    cut.crc = segments.payloadCrc() ? sum.of(at, from, to) : 0;
    if (to == committed && recordEnd == 0) {
      segments.taken(to);
    }
    cutChunk = at;
    position = to;
  }

  /**
   * The last end of a segment inside a record from {@code least} to {@code most}; if there is none,
   * {@code most}.
   */
  private long sumBoundary(long from, long least, long most) {
    for (int i = at.segments() - 1; i >= 0; i--) {
      long to = at.start + at.segmentEnd(i);
      if (to <= most) {
        return to >= least && to > from ? to : most;
      }
    }
    return most;
  }

  /**
   * Finds the end of whole records from {@link #position} to {@code limit}, without walking over
   * records if it can.
   */
  private void findEnd(long limit) {
    end = position;
    endSequence = sequence;
    Chunk chunk = at;
    for (; ; ) {
      Chunk next = chunk.next();
      boolean sealed = next != null && chunk.end() <= committed;
      long chunkEnd = sealed ? chunk.end() : committed;
      if (chunkEnd > limit) {
        break;
      }
      end = chunkEnd;
      endSequence = sealed ? chunk.endSequence() : committedSequence;
      if (!sealed || end == limit) {
        return;
      }
      chunk = next;
    }
    toSegmentEnd(chunk, limit);
    if (end == position) {
      walk(limit);
    }
  }

  private void toSegmentEnd(Chunk chunk, long limit) {
    for (int i = chunk.segments() - 1; i >= 0; i--) {
      long to = chunk.start + chunk.segmentEnd(i);
      if (to <= end) {
        return;
      }
      if (to <= limit && chunk.segmentMessages(i) != Chunk.INSIDE_RECORD) {
        end = to;
        endSequence = chunk.startSequence + chunk.segmentMessages(i);
        return;
      }
    }
  }

  private void walk(long limit) {
    long next = position + recordBytes(at, position);
    while (next <= limit) {
      end = next;
      endSequence++;
      walked++;
      if (end == limit) {
        return;
      }
      next += recordBytes(at, next);
    }
  }

  private static int recordBytes(Chunk chunk, long position) {
    return Record.HEAD_BYTES
        + Record.length(chunk.readView().getInt((int) (position - chunk.start)));
  }

  /** Places the cursor anew: after a resume. */
  private void seek(long target) {
    look(word.get());
    if (target < acknowledged || target > committed) {
      throw new IllegalArgumentException(
          "position " + target + " is not within " + acknowledged + " to " + committed);
    }
    Chunk chunk = head;
    for (Chunk next = chunk.next(); next != null && target >= chunk.end(); next = chunk.next()) {
      chunk = next;
    }
    at = chunk;
    recordEnd = 0;
    position = chunk.start;
    sequence = chunk.startSequence;
    if (!chunk.hasMemory()) {
      position = chunk.end();
      sequence = chunk.endSequence();
    }
    while (position < target) {
      long next = position + recordBytes(chunk, position);
      walked++;
      if (next > target) {
        recordEnd = next;
        break;
      }
      position = next;
      sequence++;
    }
    position = target;
  }

  private void skipFinished() {
    for (Chunk next = at.next(); next != null && position >= at.end(); next = at.next()) {
      at = next;
    }
  }

  void copy(long from, int length, ByteBuffer target) {
    Chunk chunk = find(from);
    int left = length;
    for (long offset = from - chunk.start; ; offset = 0) {
      int part = (int) Math.min(left, chunk.capacity() - offset);
      Chunk next = chunk.next();
      if (next != null) {
        part = (int) Math.min(part, chunk.end() - chunk.start - offset);
      }
      target.put(target.position(), chunk.readView(), (int) offset, part);
      target.position(target.position() + part);
      left -= part;
      if (left == 0) {
        return;
      }
      chunk = next;
    }
  }

  void slices(long from, int length, PayloadSource.Sink sink) {
    Chunk chunk = find(from);
    int left = length;
    for (long offset = from - chunk.start; ; offset = 0) {
      int part = (int) Math.min(left, chunk.capacity() - offset);
      Chunk next = chunk.next();
      if (next != null) {
        part = (int) Math.min(part, chunk.end() - chunk.start - offset);
      }
      sink.slice(chunk.buffer().retainedSlice((int) offset, part));
      left -= part;
      if (left == 0) {
        return;
      }
      chunk = next;
    }
  }

  private Chunk find(long from) {
    Chunk chunk = from >= cutChunk.start ? cutChunk : head;
    for (Chunk next = chunk.next(); next != null && from >= chunk.end(); next = chunk.next()) {
      chunk = next;
    }
    return chunk;
  }

  void acknowledge(long upTo) {
    if (!released && upTo > acknowledged) {
      acknowledged = upTo;
      reap();
    }
  }

  /** Frees what is acknowledged. */
  private void reap() {
    if (released) {
      return;
    }
    for (Chunk next = head.next(); next != null && head.end() <= acknowledged; next = head.next()) {
      dropHead(next);
    }
    if (head.hasMemory()) {
      detachIfEmpty();
    }
  }

  private void dropHead(Chunk next) {
    head.drop();
    if (at == head) {
      at = next;
      if (position < next.start) {
        position = -1; // cuts begin elsewhere: seek
      }
    }
    if (cutChunk == head) {
      cutChunk = next;
    }
    head = next;
  }

  /** Takes the writer's current chunk away if it is empty and worth it. */
  private void detachIfEmpty() {
    for (; ; ) {
      long now = word.get();
      if (head.next() != null || LogWord.position(now, acknowledged) != acknowledged) {
        return;
      }
      boolean wanted = (now & LogWord.WANTED) != 0;
      if (head.capacity() <= account.startChunk() && !wanted) {
        return;
      }
      if ((now & LogWord.CLAIMED) != 0) {
        // The writer is in it. If it leaves without a message it will look at this flag.
        if (word.replace(now, now | LogWord.WANTED)) {
          return;
        }
      } else if (word.replace(now, (now | LogWord.DETACHED) & ~LogWord.WANTED)) {
        dropEmpty(LogWord.sequence(now, committedSequence));
        return;
      }
    }
  }

  private void dropEmpty(long sequenceNow) {
    // The writer may have gone on to a new chunk and left that empty too between our two looks. It
    // seals what it leaves, but not what is taken from it: what it links from now on stays.
    while (head.sealed()) {
      dropHead(head.next());
    }
    head.seal(acknowledged, sequenceNow);
    head.drop();
  }

  private void look(long now) {
    committedSequence = LogWord.sequence(now, committedSequence);
    committed = LogWord.position(now, committed);
  }

  /** The channel is over. */
  void release() {
    if (released) {
      return;
    }
    released = true;
    long old;
    long update;
    do {
      old = word.get();
      update = (old | LogWord.CLOSED) & ~LogWord.IDLE;
      if ((old & LogWord.CLAIMED) == 0) {
        update |= LogWord.DETACHED;
      }
    } while (!word.replace(old, update));
    if ((old & LogWord.CLAIMED) == 0) {
      free();
    }
  }

  /**
   * Drops all chunks: the loop does if the writer was outside when the log was closed, else the
   * writer as it leaves.
   */
  void free() {
    for (Chunk chunk = head; chunk != null; chunk = chunk.next()) {
      chunk.drop();
    }
    account.close();
  }
}
