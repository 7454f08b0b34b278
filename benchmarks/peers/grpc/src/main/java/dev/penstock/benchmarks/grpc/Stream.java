package dev.penstock.benchmarks.grpc;

import io.grpc.Detachable;
import io.grpc.MethodDescriptor;
import java.io.InputStream;

/** The one method: a stream of batches to a consumer, and one empty answer at its end. */
final class Stream {
  static final String SERVICE = "penstock.bench";

  static final MethodDescriptor<InputStream, InputStream> METHOD =
      MethodDescriptor.<InputStream, InputStream>newBuilder()
          .setType(MethodDescriptor.MethodType.CLIENT_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "send"))
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private Stream() {}

  /** Hands bytes through: no serialisation is measured, in no system. */
  private static final class Bytes implements MethodDescriptor.Marshaller<InputStream> {

    @Override
    public InputStream stream(InputStream value) {
      return value;
    }

    /** gRPC closes the stream that it gives; a detached one is ours, without a copy. */
    @Override
    public InputStream parse(InputStream stream) {
      return ((Detachable) stream).detach();
    }
  }
}
