package dev.penstock.transport.netty;

import java.nio.ByteBuffer;

/** Passes on, for tests that change one method. */
class ForwardingHandler implements RecordHandler {
  private final RecordHandler target;

  ForwardingHandler(RecordHandler target) {
    this.target = target;
  }

  @Override
  public boolean onRecord(InboundChannel channel, int kind, long sequence, ByteBuffer bytes) {
    return target.onRecord(channel, kind, sequence, bytes);
  }

  @Override
  public boolean onPiece(
      InboundChannel channel, int kind, long sequence, ByteBuffer bytes, int offset, int total) {
    return target.onPiece(channel, kind, sequence, bytes, offset, total);
  }

  @Override
  public void onEnding(InboundChannel channel, Ending ending) {
    target.onEnding(channel, ending);
  }
}
