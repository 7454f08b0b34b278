package dev.penstock.transport.protocol;

import dev.penstock.transport.wire.WireLimits;
import java.nio.charset.StandardCharsets;

/**
 * Who a node is: a random 128-bit id, which decides, and a name, which is for people. Immutable.
 *
 * @param idHigh high half of the id
 * @param idLow low half of the id; the two halves are not both 0
 * @param name at most {@value WireLimits#MAX_NAME_BYTES} bytes of UTF-8, no control characters
 */
public record NodeIdentity(long idHigh, long idLow, String name) {
  /**
   * Checks the fields.
   *
   * @param idHigh high half of the id
   * @param idLow low half of the id
   * @param name for people
   * @throws IllegalArgumentException if the id is 0 or the name is too long or not printable
   */
  public NodeIdentity {
    if (!isId(idHigh, idLow)) {
      throw new IllegalArgumentException("node id: expected 128 random bits, got 0");
    }
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "node name: expected at most "
              + WireLimits.MAX_NAME_BYTES
              + " bytes of UTF-8 without control characters; choose another nodeName");
    }
  }

  /**
   * Whether another identity names the same node; names do not count.
   *
   * @param other the other one
   * @return true if the ids are equal
   */
  public boolean sameNode(NodeIdentity other) {
    return has(other.idHigh, other.idLow);
  }

  /**
   * The id for people.
   *
   * @return 32 hexadecimal digits
   */
  public String idText() {
    return hex(idHigh, idLow);
  }

  @Override
  public String toString() {
    return name + "(" + idText() + ")";
  }

  boolean has(long high, long low) {
    return idHigh == high && idLow == low;
  }

  static boolean isId(long high, long low) {
    return (high | low) != 0;
  }

  static boolean isName(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length <= WireLimits.MAX_NAME_BYTES
        && name.chars().noneMatch(Character::isISOControl);
  }

  static String hex(long high, long low) {
    return String.format("%016x%016x", high, low);
  }
}
