package dev.penstock.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;

/**
 * Turns messages into bytes and back: numbers and texts only, so that nothing a peer sends is ever
 * deserialized as an object. Both sides run the same release, so the layout carries no version but
 * a check of its first byte.
 */
final class MessageCodec {
  private static final int VERSION = 1;
  private static final int MAX_TEXT = 4_000;
  private static final Class<?>[] KINDS = Message.class.getPermittedSubclasses();

  private MessageCodec() {}

  static byte[] encode(Message message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      out.writeByte(kind(message));
      for (RecordComponent component : message.getClass().getRecordComponents()) {
        write(out, component.getAccessor().invoke(message));
      }
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(message.getClass().getName(), e);
    }
  }

  static Message decode(byte[] bytes) {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      int version = in.readUnsignedByte();
      int kind = in.readUnsignedByte();
      if (version != VERSION || kind >= KINDS.length) {
        throw new IllegalArgumentException(
            "a message of version "
                + version
                + ", kind "
                + kind
                + " is unknown here: use the same"
                + " release of Penstock on the driver and on all executors");
      }
      RecordComponent[] components = KINDS[kind].getRecordComponents();
      Class<?>[] types = new Class<?>[components.length];
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = read(in, types[i]);
      }
      return (Message) KINDS[kind].getDeclaredConstructor(types).newInstance(values);
    } catch (IOException e) {
      throw new IllegalArgumentException("a message was cut short", e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int kind(Message message) {
    for (int i = 0; i < KINDS.length; i++) {
      if (KINDS[i] == message.getClass()) {
        return i;
      }
    }
    throw new IllegalStateException(message.getClass().getName());
  }

  private static void write(DataOutputStream out, Object value) throws IOException {
    if (value instanceof Integer number) {
      out.writeInt(number);
    } else if (value instanceof Long number) {
      out.writeLong(number);
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else {
      String text = (String) value;
      out.writeUTF(text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text);
    }
  }

  private static Object read(DataInputStream in, Class<?> type) throws IOException {
    if (type == int.class) {
      return in.readInt();
    } else if (type == long.class) {
      return in.readLong();
    } else if (type == boolean.class) {
      return in.readBoolean();
    }
    return in.readUTF();
  }
}
