package dev.penstock.transport.testkit.sim;

/** One side's end of a connection: its socket. */
final class Endpoint {
  /** Who reads and writes. */
  interface User {
    /** Bytes have come; the user reads some with {@link Endpoint#read}. */
    void onReadable();

    /** The socket took bytes. */
    void onWritten();

    /** The other side is gone, as far as this one can see. */
    void onGone(String why);
  }

  final SimNode node;
  private final Connection connection;
  private final Pipe in;
  private final Pipe out;
  private Endpoint other;
  private User user;
  private boolean closed;
  private boolean readScheduled;
  private boolean endAfterReading;
  private String endReason;

  Endpoint(SimNode node, Connection connection, Pipe in, Pipe out) {
    this.node = node;
    this.connection = connection;
    this.in = in;
    this.out = out;
  }

  void use(User newUser, Endpoint peer) {
    user = newUser;
    other = peer;
  }

  Connection connection() {
    return connection;
  }

  boolean isClosed() {
    return closed;
  }

  /** Bytes of this side that the socket has not taken. */
  long pending() {
    return out.pending();
  }

  void write(byte[] bytes, int length) {
    if (!closed) {
      out.produce(bytes, 0, length);
      push();
    }
  }

  /** The socket takes what it can; bytes set off. */
  void push() {
    if (out.take() > 0 && !closed) {
      user.onWritten();
    }
    connection.move(this);
  }

  Pipe out() {
    return out;
  }

  Endpoint other() {
    return other;
  }

  // --- Reading

  void bytesCame() {
    scheduleRead(connection.readDelay());
  }

  private void scheduleRead(long delay) {
    if (!readScheduled && !closed && (in.readable() > 0 || endAfterReading)) {
      readScheduled = true;
      connection
          .world()
          .agenda()
          .after(
              delay,
              node,
              () -> {
                readScheduled = false;
                readNow();
              });
    }
  }

  private void readNow() {
    if (closed) {
      return;
    }
    if (in.readable() > 0) {
      user.onReadable();
      connection.move(other);
      scheduleRead(connection.readDelay());
    } else if (endAfterReading) {
      gone(endReason);
    }
  }

  /** Reads a random part of what is there; returns how many bytes. */
  int read(byte[] target, int offset, int most) {
    int length = Math.min(most, in.readable());
    length = connection.someOf(length);
    in.read(target, offset, length);
    return length;
  }

  int readable() {
    return in.readable();
  }

  // --- The end

  /** This side closes: what it wrote still goes out, then the other side reads the end. */
  void close() {
    if (!closed) {
      closed = true;
      connection.closedBy(this);
    }
  }

  /** The process is gone. */
  void die(boolean silently) {
    if (!closed) {
      closed = true;
      connection.died(this, silently);
    }
  }

  /** Both sides are cut off; this one sees it now. */
  void gone(String why) {
    if (!closed) {
      closed = true;
      user.onGone(why);
    }
  }

  /** The other side has closed: what came before is read first. */
  void endComes(String why) {
    endAfterReading = true;
    endReason = why;
    scheduleRead(connection.readDelay());
  }
}
