package dev.penstock.transport.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class SofhTest {
  @Test
  void shouldBeBigEndianInABufferOfAnyOrder() {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
      ByteBuffer buffer = ByteBuffer.allocate(8).order(order);
      Sofh.put(buffer, 1, 0x01020304, 0xEB50);
      assertThat(buffer.array()).containsExactly(0, 1, 2, 3, 4, 0xEB, 0x50, 0);
      assertThat(buffer.order()).isEqualTo(order);
      assertThat(buffer.position()).isZero();
      assertThat(Sofh.frameLength(buffer, 1)).isEqualTo(0x01020304);
      assertThat(Sofh.encodingType(buffer, 1)).isEqualTo(0xEB50);
    }
  }

  @Test
  void shouldReadALengthAsUnsigned() {
    ByteBuffer buffer = ByteBuffer.allocate(6).putInt(0, -1).putShort(4, (short) -1);
    assertThat(Sofh.frameLength(buffer, 0)).isEqualTo(0xFFFF_FFFFL);
    assertThat(Sofh.encodingType(buffer, 0)).isEqualTo(0xFFFF);
  }
}
