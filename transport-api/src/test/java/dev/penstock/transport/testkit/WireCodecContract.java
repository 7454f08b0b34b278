package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.testkit.CodecLayouts.Layout;
import dev.penstock.transport.testkit.RecordingFrames.Call;
import dev.penstock.transport.testkit.SampleFrames.Sample;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.FrameKind;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireCodec;
import dev.penstock.transport.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What every {@link WireCodec} must do. A codec's own test extends it and adds what is particular
 * to the codec's bytes.
 *
 * <p>Values are random; a failure prints the seed, and {@code -Dpenstock.codec.seed=S} repeats it.
 */
public abstract class WireCodecContract extends WireCodecFixture {
  private static final long MOST_BYTES_PER_NOISE = 32 * 1024;

  /** For implementations. */
  protected WireCodecContract() {}

  @Test
  void shouldBeFoundByItsEncodingType() {
    List<String> found =
        ServiceLoader.load(WireCodec.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.encodingType() == codec().encodingType())
            .map(WireCodec::name)
            .toList();
    assertThat(found).containsExactly(codec().name());
    assertThat(codec().encodingType()).isBetween(1, 0xFFFF);
  }

  @Test
  void shouldReadBackEveryFrameItWrites() throws Exception {
    for (Layout layout : CodecLayouts.ALL) {
      for (Sample sample : everything(100)) {
        ByteBuffer buffer = layout.of(WireLimits.MAX_HEADER_BYTES + sample.payloadLength());
        int index = buffer.position();
        int length = write(encoder, sample, buffer);
        RecordingFrames recording = new RecordingFrames();
        decoder.decode(buffer, index, length, recording);
        assertThat(recording.only()).as(layout.name()).isEqualTo(sample.recorded());
      }
    }
  }

  @Test
  void shouldStateLengthAndEncodingTypeInTheSofh() {
    for (Sample sample : everything(5)) {
      ByteBuffer frame = ByteBuffer.wrap(encode(sample));
      assertThat(Sofh.frameLength(frame, 0)).as("%s", sample).isEqualTo(frame.capacity());
      assertThat(Sofh.encodingType(frame, 0)).isEqualTo(codec().encodingType());
    }
  }

  @Test
  void shouldStayWithinTheProtocolsSizes() {
    int hello = 0;
    int welcome = 0;
    int proof = 0;
    for (Sample sample : everything(50)) {
      int length = encode(sample).length - sample.payloadLength();
      assertThat(length).as("%s", sample).isLessThanOrEqualTo(WireLimits.MAX_HEADER_BYTES);
      hello = sample.kind() == FrameKind.HELLO ? Math.max(hello, length) : hello;
      welcome = sample.kind() == FrameKind.WELCOME ? Math.max(welcome, length) : welcome;
      proof = sample.kind() == FrameKind.PROOF ? Math.max(proof, length) : proof;
    }
    assertThat(hello + proof).isBetween(1, WireLimits.MAX_HANDSHAKE_BYTES);
    assertThat(welcome).isBetween(1, WireLimits.MAX_HANDSHAKE_BYTES);
  }

  @Test
  void shouldAppendFramesOneAfterTheOther() throws Exception {
    List<Sample> sent = everything(3);
    int room = sent.size() * WireLimits.MAX_HEADER_BYTES;
    ByteBuffer buffer = ByteBuffer.allocate(room + payloads(sent));
    for (Sample sample : sent) {
      write(encoder, sample, buffer);
    }
    buffer.flip();
    RecordingFrames recording = new RecordingFrames();
    for (int index = 0; index < buffer.limit(); ) {
      int length = (int) Sofh.frameLength(buffer, index);
      decoder.decode(buffer, index, length, recording);
      index += length;
    }
    assertThat(recording.calls()).isEqualTo(sent.stream().map(Sample::recorded).toList());
  }

  @Test
  void shouldTouchNothingButTheFramesOwnBytes() {
    for (Sample sample : everything(5)) {
      byte[] frame = encode(sample);
      int own = frame.length - sample.payloadLength();
      byte[] bytes = new byte[own + 20];
      random.nextBytes(bytes);
      byte[] expected = bytes.clone();
      System.arraycopy(frame, 0, expected, 11, own);
      encoder.bind(ByteBuffer.wrap(bytes).position(11));
      sample.call().accept(encoder);
      assertThat(bytes).as("%s", sample).isEqualTo(expected);
    }
  }

  @Test
  void shouldLeaveThePositionWhereItWasWhenTheBufferOverflows() {
    for (Sample sample : everything(1)) {
      int needed = encode(sample).length - sample.payloadLength();
      for (int room = 0; room < needed; room++) {
        ByteBuffer target = ByteBuffer.allocate(needed + 5).position(2).limit(2 + room);
        encoder.bind(target);
        if (!overflows(encoder, sample)) {
          fail("%s with room for %d of %d bytes".formatted(sample, room, needed));
        }
        assertThat(target.position()).isEqualTo(2);
        assertThat(target.limit()).isEqualTo(2 + room);
      }
      ByteBuffer exact = ByteBuffer.allocate(needed);
      encoder.bind(exact);
      sample.call().accept(encoder);
      assertThat(exact.hasRemaining()).isFalse();
    }
  }

  @Test
  void shouldRefuseValuesThatTheirFieldsCannotCarry() {
    Octets nonce = Octets.copyOf(new byte[WireLimits.NONCE_BYTES]);
    Octets shortNonce = Octets.copyOf(new byte[WireLimits.NONCE_BYTES - 1]);
    Octets longProof = Octets.copyOf(new byte[WireLimits.PROOF_BYTES + 1]);
    List<Consumer<Frames>> calls = new ArrayList<>();
    calls.add(f -> f.hello(HandshakeSamples.hello(0x1_0000, 1, 0, nonce)));
    calls.add(f -> f.hello(HandshakeSamples.hello(1, 0x1_0000, 0, nonce)));
    calls.add(f -> f.hello(HandshakeSamples.hello(1, 1, -1, nonce)));
    calls.add(f -> f.hello(HandshakeSamples.hello(1, 1, 0, shortNonce)));
    calls.add(f -> f.welcome(HandshakeSamples.welcome(-1, nonce, Octets.EMPTY)));
    calls.add(f -> f.welcome(HandshakeSamples.welcome(1, shortNonce, Octets.EMPTY)));
    calls.add(f -> f.welcome(HandshakeSamples.welcome(1, nonce, longProof)));
    calls.add(f -> f.proof(longProof));
    calls.add(f -> f.data(1, 0, 0, 1, 8, 10, 0, 10, 0));
    calls.add(f -> f.data(1, 0, 0, 1, -1, 10, 0, 10, 0));
    calls.add(f -> f.data(1, 0, 0, 1, 0, 10, 0, -1, 0));
    for (Consumer<Frames> call : calls) {
      ByteBuffer target = ByteBuffer.allocate(WireLimits.MAX_HEADER_BYTES);
      encoder.bind(target);
      assertThatThrownBy(() -> call.accept(encoder))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected")
          .hasMessageContaining("got");
      assertThat(target.position()).isZero();
    }
  }

  @Test
  void shouldCutLongTextsInFrontOfACodePoint() throws Exception {
    for (String unit : new String[] {"x", "\u00DF", "\u20AC", "\uD83D\uDE00"}) {
      for (int shift = 0; shift < 4; shift++) {
        String text = "-".repeat(shift) + unit.repeat(WireLimits.MAX_TEXT_BYTES + 1);
        RecordingFrames recording = new RecordingFrames();
        decode(
            encode(new Sample(FrameKind.RESET, 0, f -> f.reset(1, ErrorCode.INTERNAL, text))),
            recording);
        assertCut(text, (String) recording.only().arguments().get(2), WireLimits.MAX_TEXT_BYTES);
        recording.clear();
        decode(
            encode(new Sample(FrameKind.GOAWAY, 0, f -> f.goAway(ErrorCode.INTERNAL, text, true))),
            recording);
        assertCut(text, (String) recording.only().arguments().get(1), WireLimits.MAX_TEXT_BYTES);
        recording.clear();
        Hello hello = HandshakeSamples.named(text);
        decode(encode(new Sample(FrameKind.HELLO, 0, f -> f.hello(hello))), recording);
        Hello read = (Hello) recording.only().arguments().get(0);
        assertCut(text, read.nodeName(), WireLimits.MAX_NAME_BYTES);
      }
    }
  }

  @Test
  void shouldLeaveTheSourceAsItWas() throws Exception {
    for (Sample sample : everything(5)) {
      byte[] frame = encode(sample);
      byte[] bytes = new byte[frame.length + 20];
      random.nextBytes(bytes);
      System.arraycopy(frame, 0, bytes, 9, frame.length);
      ByteBuffer source = ByteBuffer.wrap(bytes.clone()).position(4).limit(9 + frame.length);
      RecordingFrames recording = new RecordingFrames();
      decoder.decode(source, 9, frame.length, recording);
      assertThat(recording.only()).isEqualTo(sample.recorded());
      assertThat(source.position()).isEqualTo(4);
      assertThat(source.limit()).isEqualTo(9 + frame.length);
      assertThat(source.array()).isEqualTo(bytes);
      recording.clear();
      decoder.decode(source.asReadOnlyBuffer(), 9, frame.length, recording);
      assertThat(recording.only()).isEqualTo(sample.recorded());
    }
  }

  @Test
  void shouldReadNothingOutsideTheFrame() throws Exception {
    for (Sample sample : everything(2)) {
      byte[] frame = encode(sample);
      for (int cut = Sofh.LENGTH; cut <= frame.length; cut++) {
        // The same bytes before and behind the end of the frame's stated length must not make a
        // difference.
        byte[] prefix = withLength(frame, cut);
        String alone = outcome(prefix, 0, cut);
        byte[] among = new byte[5 + frame.length + 40];
        random.nextBytes(among);
        System.arraycopy(withLength(frame, cut, frame.length), 0, among, 5, frame.length);
        if (!outcome(among, 5, cut).equals(alone)) {
          fail("%s cut at %d: %s".formatted(sample, cut, outcome(among, 5, cut)));
        }
      }
    }
  }

  @Test
  void shouldDetectEveryBitFlip() {
    for (Sample sample : everything(1)) {
      byte[] frame = encode(sample);
      int own = frame.length - sample.payloadLength();
      Call sent = sample.recorded();
      int harmless = 0;
      for (int bit = 0; bit < own * Byte.SIZE; bit++) {
        frame[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        Call read = readOrNull(frame);
        frame[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        if (read != null && !read.equals(sent)) {
          fail("%s, bit %d: read as %s".formatted(sent, bit, read));
        }
        harmless += read == null ? 0 : 1;
      }
      // Only a version number may change without changing what the frame says.
      assertThat(harmless).as("%s", sample).isLessThan(Short.SIZE);
    }
  }

  @Test
  void shouldRejectAFrameThatIsCutAnywhere() {
    for (Sample sample : everything(2)) {
      byte[] frame = encode(sample);
      for (int cut = 0; cut < frame.length; cut++) {
        assertMalformed(Arrays.copyOf(frame, cut), sample, "cut");
        if (cut >= Sofh.LENGTH) {
          assertMalformed(withLength(frame, cut), sample, "cut, SOFH, too");
        }
      }
    }
  }

  @Test
  void shouldRejectBytesBehindTheEnd() {
    for (Sample sample : everything(2)) {
      byte[] frame = encode(sample);
      for (int more = 1; more < 20; more++) {
        byte[] longer = withLength(frame, frame.length + more);
        assertMalformed(longer, sample, "longer");
      }
    }
  }

  @Test
  void shouldRejectAnotherEncodingType() {
    for (Sample sample : everything(1)) {
      byte[] frame = encode(sample);
      Sofh.put(ByteBuffer.wrap(frame), 0, frame.length, codec().encodingType() ^ 0x0101);
      assertMalformed(frame, sample, "other encoding type");
    }
  }

  @Test
  void shouldAnswerNoiseWithMalformedAndLittleMemory() {
    List<Sample> pool = everything(3);
    for (int round = 0; round < 10_000; round++) {
      byte[] noise = noise(pool.get(random.nextInt(pool.size())));
      // The first time loads classes.
      readNoise(noise);
      long allocated = readNoise(noise);
      if (allocated > MOST_BYTES_PER_NOISE) {
        fail("%d bytes allocated for a frame of %d".formatted(allocated, noise.length));
      }
    }
  }

  /** Returns how much was allocated. */
  private long readNoise(byte[] noise) {
    ByteBuffer source = ByteBuffer.wrap(noise);
    RecordingFrames recording = new RecordingFrames();
    MalformedFrameException malformed = null;
    long before = Allocations.ofThisThread();
    try {
      decoder.decode(source, 0, noise.length, recording);
    } catch (MalformedFrameException e) {
      malformed = e;
    }
    long allocated = Allocations.ofThisThread() - before;
    if (malformed != null) {
      checkMalformed(malformed, recording);
    }
    return allocated;
  }

  @Test
  void shouldGoOnAfterAMalformedFrame() throws Exception {
    for (Sample sample : everything(3)) {
      byte[] frame = encode(sample);
      byte[] damaged = frame.clone();
      damaged[Sofh.LENGTH + random.nextInt(8)] ^= 0x10;
      RecordingFrames recording = new RecordingFrames();
      try {
        decoder.decode(ByteBuffer.wrap(damaged), 0, damaged.length, new RecordingFrames());
      } catch (MalformedFrameException expected) {
        assertThat(expected).hasMessageContaining("expected");
      }
      decoder.decode(ByteBuffer.wrap(frame), 0, frame.length, recording);
      assertThat(recording.only()).isEqualTo(sample.recorded());
    }
  }

  @Test
  void shouldPassOnWhatTheCalledOneThrows() {
    IllegalStateException thrown = new IllegalStateException("thrown by the machine");
    Frames failing =
        (Frames)
            java.lang.reflect.Proxy.newProxyInstance(
                Frames.class.getClassLoader(),
                new Class<?>[] {Frames.class},
                (proxy, method, arguments) -> {
                  throw thrown;
                });
    for (Sample sample : everything(1)) {
      byte[] frame = encode(sample);
      assertThatThrownBy(() -> decode(frame, failing)).as("%s", sample).isSameAs(thrown);
    }
  }

  @Test
  void shouldKeepEncodersAndDecodersApart() throws Exception {
    List<Sample> pool = everything(2);
    FrameEncoder[] encoders = {codec().newEncoder(), codec().newEncoder()};
    ByteBuffer[] targets = {ByteBuffer.allocate(1 << 17), ByteBuffer.allocate(1 << 17)};
    for (Sample sample : pool) {
      for (int i = 0; i < encoders.length; i++) {
        encoders[i].bind(targets[i]);
      }
      for (int i = 0; i < encoders.length; i++) {
        int index = targets[i].position();
        sample.call().accept(encoders[i]);
        targets[i].position(targets[i].position() + sample.payloadLength());
        RecordingFrames recording = new RecordingFrames();
        codec().newDecoder().decode(targets[i], index, targets[i].position() - index, recording);
        assertThat(recording.only()).isEqualTo(sample.recorded());
      }
    }
    assertThat(targets[0].flip()).isEqualTo(targets[1].flip());
  }
}
