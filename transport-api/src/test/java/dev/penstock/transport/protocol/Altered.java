package dev.penstock.transport.protocol;

import dev.penstock.transport.wire.Octets;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Random;

/** Copies of records with one field changed to another value that the wire can carry. */
final class Altered {
  private Altered() {}

  static <R extends Record> R with(R record, String field, Object value) {
    RecordComponent[] components = record.getClass().getRecordComponents();
    Object[] values = new Object[components.length];
    Class<?>[] types = new Class<?>[components.length];
    boolean found = false;
    try {
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = components[i].getAccessor().invoke(record);
        if (components[i].getName().equals(field)) {
          values[i] = value;
          found = true;
        }
      }
      if (!found) {
        throw new AssertionError("no field " + field);
      }
      @SuppressWarnings("unchecked")
      Constructor<R> constructor = (Constructor<R>) record.getClass().getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  static <R extends Record> R randomly(R record, RecordComponent field, Random random) {
    try {
      Object old = field.getAccessor().invoke(record);
      return with(record, field.getName(), other(field.getName(), old, random));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Object other(String name, Object old, Random random) {
    if (old instanceof Integer value) {
      boolean u16 = name.endsWith("ersion") || name.equals("lane");
      return value ^ (1 << random.nextInt(u16 ? 16 : 32));
    } else if (old instanceof Long value) {
      return value ^ (1L << random.nextInt(64));
    } else if (old instanceof Boolean value) {
      return !value;
    } else if (old instanceof String value) {
      return random.nextBoolean() ? value + "x" : value.substring(1);
    }
    byte[] bytes = ((Octets) old).toByteArray();
    int form = random.nextInt(8);
    if (form == 0) {
      return Octets.copyOf(Arrays.copyOf(bytes, bytes.length - 1));
    } else if (form == 1) {
      return Octets.EMPTY;
    }
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    return Octets.copyOf(bytes);
  }
}
