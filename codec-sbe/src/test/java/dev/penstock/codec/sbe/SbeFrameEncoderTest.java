package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;

class SbeFrameEncoderTest {
  @Test
  void shouldNotWriteIntoAReadOnlyBuffer() {
    SbeFrameEncoder encoder = new SbeFrameEncoder();
    assertThatThrownBy(() -> encoder.bind(ByteBuffer.allocate(100).asReadOnlyBuffer()))
        .isInstanceOf(ReadOnlyBufferException.class);
  }

  @Test
  void shouldHaveNoRoomBeforeItIsBound() {
    assertThatThrownBy(() -> new SbeFrameEncoder().ping(1))
        .isInstanceOf(BufferOverflowException.class);
  }
}
