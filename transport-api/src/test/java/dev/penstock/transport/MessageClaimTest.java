package dev.penstock.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageClaimTest {
  private static final int START = 40;
  private static final int LENGTH = 20;

  private final ByteBuffer memory = ByteBuffer.allocateDirect(100);
  private final MessageClaim claim = new MessageClaim();
  private String ended = "";

  private void open() {
    claim.bind(
        memory,
        START,
        LENGTH,
        new MessageClaim.Target() {
          @Override
          public void commitClaim() {
            ended += "committed ";
          }

          @Override
          public void abortClaim() {
            ended += "aborted ";
          }
        });
  }

  @Test
  void shouldWriteAtIndexesOfTheMessage() {
    open();
    assertThat(claim.length()).isEqualTo(LENGTH);
    claim.putByte(0, (byte) 1);
    claim.putInt(1, 0x02030405);
    claim.putLong(5, 0x0607080910111213L);
    claim.putBytes(13, new byte[] {14, 15});
    claim.putBytes(15, new byte[] {0, 16, 17, 0}, 1, 2);
    ByteBuffer source = ByteBuffer.wrap(new byte[] {0, 18, 19, 20}).position(1);
    claim.putBytes(17, source);
    assertThat(source.position()).isEqualTo(1);
    byte[] written = new byte[LENGTH];
    memory.get(START, written);
    assertThat(written)
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 14, 15, 16, 17, 18, 19, 20);
    assertThat(memory.get(START - 1)).isZero();
    assertThat(memory.get(START + LENGTH)).isZero();
  }

  @Test
  void shouldHandOutABufferThatIsExactlyTheMessage() {
    open();
    ByteBuffer buffer = claim.buffer();
    assertThat(buffer.position()).isZero();
    assertThat(buffer.capacity()).isEqualTo(LENGTH);
    assertThat(claim.buffer()).isSameAs(buffer);
    buffer.putInt(0x01020304);
    assertThat(memory.getInt(START)).isEqualTo(0x01020304);
    claim.commit();
    open();
    assertThat(claim.buffer()).isNotSameAs(buffer);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, LENGTH - 3, LENGTH, Integer.MAX_VALUE})
  void shouldWriteNothingOutsideTheMessage(int index) {
    open();
    assertThatThrownBy(() -> claim.putInt(index, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> claim.putBytes(index, new byte[4]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> claim.putBytes(index, ByteBuffer.allocate(4)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> claim.putBytes(index, new byte[9], 0, 4))
        .isInstanceOf(IndexOutOfBoundsException.class);
    for (int i = 0; i < memory.capacity(); i++) {
      assertThat(memory.get(i)).isZero();
    }
  }

  @Test
  void shouldEndOnce() {
    open();
    claim.commit();
    open();
    claim.abort();
    assertThat(ended).isEqualTo("committed aborted ");
    assertThatThrownBy(claim::commit).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(claim::abort).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(claim::buffer).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(claim::length).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> claim.putInt(0, 1)).isInstanceOf(IllegalStateException.class);
  }
}
