package dev.penstock.benchmarks.rsocket;

import io.rsocket.Payload;
import io.rsocket.RSocket;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers the consumers' requests on one producer's connection. */
final class StreamSender implements RSocket {
  private final RSocketChannel[] channels;

  StreamSender(RSocketChannel[] channels) {
    this.channels = channels;
  }

  /** A consumer asks for its stream. */
  @Override
  public Flux<Payload> requestStream(Payload request) {
    return Flux.from(channels[consumer(request)]);
  }

  /** A consumer has taken everything. */
  @Override
  public Mono<Void> fireAndForget(Payload word) {
    channels[consumer(word)].arrived();
    return Mono.empty();
  }

  private static int consumer(Payload payload) {
    try {
      return payload.getData().getInt();
    } finally {
      payload.release();
    }
  }
}
