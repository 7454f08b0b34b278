package dev.penstock.benchmarks.grpc;

import dev.penstock.benchmarks.BatchChannel;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/** The producer's end of one stream. It sends while gRPC says that it is ready, and parks else. */
final class GrpcChannel implements BatchChannel, ClientResponseObserver<InputStream, InputStream> {
  /** As much as raw Netty may queue; gRPC's own 32 KiB would let one message at a time through. */
  private static final int READY_BELOW_BYTES = 1024 * 1024;

  private final Batch batch;
  private ClientCallStreamObserver<InputStream> call;
  private volatile Thread owner;
  private volatile boolean completed;
  private volatile Throwable failure;

  GrpcChannel(int batchSize) {
    batch = new Batch(batchSize);
  }

  /** Opens the stream, and returns when gRPC takes messages for it. */
  void open(ManagedChannel connection, int consumer) throws IOException {
    owner = Thread.currentThread();
    CallOptions options = CallOptions.DEFAULT.withOnReadyThreshold(READY_BELOW_BYTES);
    ClientCalls.asyncClientStreamingCall(connection.newCall(Stream.METHOD, options), this);
    batch.buffer().putInt(consumer);
    send();
  }

  @Override
  public void useFrom(Thread thread) {
    owner = thread;
  }

  /** The buffer to put a record into, sending what it holds where there is no room. */
  @Override
  public ByteBuffer room(int bytes) throws IOException {
    if (batch.room() < bytes) {
      send();
    }
    return batch.buffer();
  }

  @Override
  public void send() throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    while (!call.isReady()) {
      check();
      LockSupport.park(this);
    }
    call.onNext(batch);
    batch.clear();
  }

  /** Ends the stream, and waits until the consumer has everything. */
  @Override
  public void end() throws IOException {
    send();
    call.onCompleted();
    while (!completed) {
      check();
      LockSupport.park(this);
    }
  }

  private void check() throws IOException {
    if (failure != null) {
      throw new IOException("the stream is gone", failure);
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<InputStream> requestStream) {
    call = requestStream;
    call.setOnReadyHandler(() -> LockSupport.unpark(owner));
  }

  @Override
  public void onNext(InputStream answer) {}

  @Override
  public void onError(Throwable cause) {
    failure = cause;
    LockSupport.unpark(owner);
  }

  @Override
  public void onCompleted() {
    completed = true;
    LockSupport.unpark(owner);
  }
}
