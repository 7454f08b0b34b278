package dev.penstock.transport.netty.architecture.planted;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;

/** Takes an object from a stream. */
public final class ObjectReader {
  private ObjectReader() {}

  /** Reads it. */
  public static Object read(InputStream in) throws IOException, ClassNotFoundException {
    return new ObjectInputStream(in).readObject();
  }
}
