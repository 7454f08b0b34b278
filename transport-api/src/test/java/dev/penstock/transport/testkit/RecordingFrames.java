package dev.penstock.transport.testkit;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.FrameKind;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Keeps every call as a value that can be compared and printed. */
public final class RecordingFrames implements Frames {
  /**
   * One call.
   *
   * @param kind the frame's number, see {@link FrameKind}
   * @param method the method's name
   * @param arguments in the method's order
   */
  public record Call(int kind, String method, List<Object> arguments) {
    /**
     * Makes the same call again.
     *
     * @param frames what to call; an unchecked exception it throws passes through
     */
    public void replay(Frames frames) {
      Method called =
          Arrays.stream(Frames.class.getMethods())
              .filter(each -> each.getName().equals(method))
              .findFirst()
              .orElseThrow();
      try {
        called.invoke(frames, arguments.toArray());
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof RuntimeException thrown) {
          throw thrown;
        }
        throw new AssertionError(toString(), e.getCause());
      } catch (IllegalAccessException e) {
        throw new AssertionError(toString(), e);
      }
    }

    @Override
    public String toString() {
      return method + arguments;
    }
  }

  private final List<Call> calls = new ArrayList<>();

  /** Creates an empty one. */
  public RecordingFrames() {}

  /**
   * What was called since the start or the last {@link #clear}.
   *
   * @return a copy, oldest first
   */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  /**
   * The one call that was made.
   *
   * @return the call
   * @throws AssertionError if there was none, or more than one
   */
  public Call only() {
    if (calls.size() != 1) {
      throw new AssertionError("expected one call, got " + calls);
    }
    return calls.get(0);
  }

  /** Forgets all calls. */
  public void clear() {
    calls.clear();
  }

  @Override
  public void hello(Hello hello) {
    add(FrameKind.HELLO, "hello", hello);
  }

  @Override
  public void welcome(Welcome welcome) {
    add(FrameKind.WELCOME, "welcome", welcome);
  }

  @Override
  public void proof(Octets proof) {
    add(FrameKind.PROOF, "proof", proof);
  }

  @Override
  public void open(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    add(
        FrameKind.OPEN,
        "open",
        channel,
        role,
        exchange,
        producer,
        consumer,
        attempt,
        position,
        sequence,
        backlog,
        consumed,
        limit,
        floor);
  }

  @Override
  public void opened(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    add(
        FrameKind.OPENED,
        "opened",
        channel,
        role,
        exchange,
        producer,
        consumer,
        attempt,
        position,
        sequence,
        backlog,
        consumed,
        limit,
        floor);
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    add(FrameKind.READY, "ready", liveChannels, draining);
  }

  @Override
  public void data(
      int channel,
      long position,
      long sequence,
      int messages,
      int flags,
      int uncompressedLength,
      long backlog,
      int payloadLength,
      int payloadCrc) {
    add(
        FrameKind.DATA,
        "data",
        channel,
        position,
        sequence,
        messages,
        flags,
        uncompressedLength,
        backlog,
        payloadLength,
        payloadCrc);
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    add(FrameKind.DEMAND, "demand", channel, position, backlog);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    add(FrameKind.CREDIT, "credit", channel, received, consumed, limit);
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    add(FrameKind.FINISH, "finish", channel, position, sequence);
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    add(FrameKind.FINISH_ACK, "finishAck", channel, position, sequence);
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    add(FrameKind.RESET, "reset", channel, code, text);
  }

  @Override
  public void closed(int channel) {
    add(FrameKind.CLOSED, "closed", channel);
  }

  @Override
  public void ping(long value) {
    add(FrameKind.PING, "ping", value);
  }

  @Override
  public void pong(long value) {
    add(FrameKind.PONG, "pong", value);
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    add(FrameKind.GOAWAY, "goAway", code, text, draining);
  }

  private void add(int kind, String method, Object... arguments) {
    calls.add(new Call(kind, method, List.of(arguments)));
  }
}
