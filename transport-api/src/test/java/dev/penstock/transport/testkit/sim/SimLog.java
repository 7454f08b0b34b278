package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.protocol.RecordSource;
import dev.penstock.transport.wire.Frames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** An append log with real records: kept from commit to acknowledgement. */
final class SimLog implements RecordSource {
  /** Room for one event, so that no broadcast stops half way. */
  private static final int EVENT_ROOM = 260;

  private final World world;
  private final boolean sums;
  private final Applications applications;
  private final Runnable onRoom;
  private final int capacity;
  private final List<byte[]> records = new ArrayList<>();
  private final List<Long> starts = new ArrayList<>();
  private final CRC32C crc = new CRC32C();
  private int first;
  private long committed;
  private long committedRecords;
  private long freed;
  private boolean idle;
  private boolean released;
  private long lastCut = -1;
  private long lastEventEnd = -1;

  SimLog(World world, Applications applications, int capacity, boolean sums, Runnable onRoom) {
    this.applications = applications;
    this.onRoom = onRoom;
    this.world = world;
    this.capacity = capacity;
    this.sums = sums;
  }

  // --- The application's side

  /**
   * Whether a record finds room now: one always does when nothing is kept, and an event finds the
   * room that is kept for one.
   */
  boolean hasRoom(int length, boolean event) {
    if (event && length <= EVENT_ROOM && !keepsEvent()) {
      return true;
    }
    return committed == freed || committed - freed + length <= capacity - EVENT_ROOM;
  }

  /** Whether an event that was committed is still kept. */
  boolean keepsEvent() {
    return lastEventEnd > freed;
  }

  void commit(byte[] record, boolean event) {
    if (event) {
      lastEventEnd = committed + record.length;
    }
    records.add(record);
    starts.add(committed);
    committed += record.length;
    committedRecords++;
  }

  /** After a commit became visible: whether the loop must be told. */
  boolean wakes() {
    boolean wakes = idle;
    idle = false;
    return wakes;
  }

  /** What the simulator sees, without a moment passing. */
  long committed() {
    return committed;
  }

  boolean isReleased() {
    return released;
  }

  long freed() {
    return freed;
  }

  // --- The loop's side

  @Override
  public long committedPosition() {
    applications.mayOvertake();
    long seen = committed;
    applications.mayOvertake();
    return seen;
  }

  @Override
  public long committedSequence() {
    return committedRecords;
  }

  @Override
  public boolean tryIdle() {
    applications.mayOvertake();
    if (committed != lastCut && committed != freed) {
      return false;
    }
    idle = true;
    applications.mayOvertake();
    return true;
  }

  private int find(long position) {
    if (position < freed || position >= committed) {
      throw new SimFailure("position " + position + " is not kept: " + freed + " to " + committed);
    }
    int low = first;
    int high = records.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts.get(middle) <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  @Override
  public boolean cut(long position, int maxLength, int pieceLength, FrameCut cut) {
    if (released) {
      throw new SimFailure("cut of a log that was released");
    }
    applications.mayOvertake();
    int index = find(position);
    int length = 0;
    int messages = 0;
    if (starts.get(index) == position) {
      while (index < records.size() && length + records.get(index).length <= maxLength) {
        length += records.get(index++).length;
        messages++;
      }
    } else {
      world.covers(lastCut == position ? Rule.R3_PIECE : Rule.R3_RESUMED_INSIDE_A_RECORD);
    }
    if (messages > 0) {
      return found(position, length, messages, 0, cut);
    }
    byte[] record = records.get(index);
    int rest = (int) (starts.get(index) + record.length - position);
    boolean whole = rest == record.length;
    if ((whole && record.length <= pieceLength) || maxLength < Math.min(rest, pieceLength)) {
      return false;
    }
    length = Math.min(rest, maxLength);
    boolean last = length == rest;
    return found(
        position, length, last ? 1 : 0, Frames.PIECE | (last ? Frames.LAST_PIECE : 0), cut);
  }

  private boolean found(long position, int length, int messages, int flags, FrameCut cut) {
    lastCut = position + length;
    cut.length = length;
    cut.messages = messages;
    cut.flags = flags;
    cut.crc = 0;
    if (sums) {
      ByteBuffer bytes = ByteBuffer.allocate(length);
      copy(position, length, bytes);
      crc.reset();
      crc.update(bytes.array(), 0, length);
      cut.crc = (int) crc.getValue();
    }
    return true;
  }

  void copy(long position, int length, ByteBuffer target) {
    long at = position;
    int left = length;
    for (int index = find(position); left > 0; index++) {
      byte[] record = records.get(index);
      int offset = (int) (at - starts.get(index));
      int bytes = Math.min(left, record.length - offset);
      target.put(record, offset, bytes);
      at += bytes;
      left -= bytes;
    }
  }

  @Override
  public void acknowledged(long position) {
    if (position < freed || position > committed || released) {
      throw new SimFailure("acknowledged " + position + " after " + freed + " of " + committed);
    }
    freed = position;
    while (first < records.size() && starts.get(first) + records.get(first).length <= position) {
      records.set(first++, null);
    }
    onRoom.run();
  }

  @Override
  public void release() {
    if (released) {
      throw new SimFailure("a log was released twice");
    }
    released = true;
  }
}
