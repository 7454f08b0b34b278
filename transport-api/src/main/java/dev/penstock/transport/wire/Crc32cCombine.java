package dev.penstock.transport.wire;

/**
 * Combines the CRC32Cs of two adjacent byte ranges into that of both, without the bytes.
 *
 * <p>Appending n zero bits multiplies a CRC by x<sup>n</sup> modulo the polynomial, so the
 * combination is one multiplication in GF(2)[x]/P: the method that Mark Adler describes for zlib's
 * {@code crc32_combine} (2018 onwards), with the Castagnoli polynomial.
 */
public final class Crc32cCombine {
  /** The Castagnoli polynomial, bit-reversed. */
  private static final int POLYNOMIAL = 0x82F63B78;

  /** POWERS[i] is x^(8 * 2^i) modulo the polynomial, for byte counts. */
  private static final int[] POWERS = new int[32];

  static {
    int power = 1 << 30; // x^1 in reversed bit order
    for (int i = 0; i < 3; i++) {
      power = multiply(power, power);
    }
    for (int i = 0; i < POWERS.length; i++) {
      POWERS[i] = power;
      power = multiply(power, power);
    }
  }

  private Crc32cCombine() {}

  /**
   * The CRC32C of A followed by B.
   *
   * @param crcA CRC32C of A
   * @param crcB CRC32C of B
   * @param lengthB bytes of B, not negative
   * @return the CRC32C of the two
   */
  public static int combine(int crcA, int crcB, int lengthB) {
    return lengthB == 0 ? crcA : multiply(shift(lengthB), crcA) ^ crcB;
  }

  private static int shift(int bytes) {
    int product = 1 << 31; // x^0
    for (int i = 0, rest = bytes; rest != 0; i++, rest >>>= 1) {
      if ((rest & 1) != 0) {
        product = multiply(POWERS[i], product);
      }
    }
    return product;
  }

  private static int multiply(int a, int b) {
    int product = 0;
    int factor = b;
    for (int bit = 31; bit >= 0; bit--) {
      product ^= factor & -(a >>> bit & 1);
      factor = factor >>> 1 ^ (POLYNOMIAL & -(factor & 1));
    }
    return product;
  }
}
