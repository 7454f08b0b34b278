package dev.penstock.benchmarks.grpc;

import dev.penstock.benchmarks.RecordParser;
import dev.penstock.benchmarks.Sinks;
import io.grpc.HasByteBuffer;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * The consumer's end of one stream, on gRPC's event loop. It asks for as many messages as it has
 * taken, so that a slow consumer makes the producer wait.
 */
final class StreamReceiver implements StreamObserver<InputStream> {
  private static final int AHEAD = 32;

  private final ServerCallStreamObserver<InputStream> call;
  private final Sinks sinks;
  private byte[] copy = new byte[0];
  private RecordParser parser;

  private StreamReceiver(ServerCallStreamObserver<InputStream> call, Sinks sinks) {
    this.call = call;
    this.sinks = sinks;
  }

  static StreamObserver<InputStream> open(StreamObserver<InputStream> answer, Sinks sinks) {
    ServerCallStreamObserver<InputStream> call = (ServerCallStreamObserver<InputStream>) answer;
    call.disableAutoRequest();
    call.request(AHEAD);
    return new StreamReceiver(call, sinks);
  }

  @Override
  public void onNext(InputStream message) {
    try (message) {
      if (parser == null) {
        parser = new RecordParser(sinks.sink(readInt(message)));
      } else {
        read(message);
      }
    } catch (IOException | RuntimeException e) {
      sinks.failed(e);
    }
    call.request(1);
  }

  /** Records are read where they lie; a message that is not backed by buffers is copied out. */
  private void read(InputStream message) throws IOException {
    if (message instanceof HasByteBuffer bytes && bytes.byteBufferSupported()) {
      for (ByteBuffer next = bytes.getByteBuffer(); next != null; next = bytes.getByteBuffer()) {
        int length = next.remaining();
        parser.parse(next);
        message.skipNBytes(length);
      }
    } else {
      parser.parse(copyOut(message));
    }
  }

  private ByteBuffer copyOut(InputStream message) throws IOException {
    int length = message.available();
    if (copy.length < length) {
      copy = new byte[length];
    }
    return ByteBuffer.wrap(copy, 0, message.readNBytes(copy, 0, length));
  }

  private static int readInt(InputStream message) throws IOException {
    return ByteBuffer.wrap(message.readNBytes(Integer.BYTES)).getInt();
  }

  @Override
  public void onError(Throwable cause) {
    sinks.failed(cause);
  }

  @Override
  public void onCompleted() {
    sinks.ended(1);
    call.onNext(new Batch(0));
    call.onCompleted();
  }
}
