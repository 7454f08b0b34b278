package dev.penstock.spark;

import java.lang.reflect.Field;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.unsafe.Platform;

/**
 * SQL's rows are bytes already: they are copied as they are. The only class that needs Spark SQL,
 * and it is loaded only for shuffles of SQL.
 */
final class UnsafeRows {
  private static final String SERIALIZER = "org.apache.spark.sql.execution.UnsafeRowSerializer";

  private UnsafeRows() {}

  /** Whether rows of this serializer can be copied; it keeps its figures in private fields. */
  static boolean handles(Serializer serializer) {
    return serializer.getClass().getName().equals(SERIALIZER)
        && field(serializer, "numFields") != null
        && field(serializer, "dataSize") != null;
  }

  static RecordSink sink(Serializer serializer, GateWriter out) {
    SQLMetric size = (SQLMetric) value(serializer, "dataSize");
    return new RecordSink() {
      private byte[] copy = new byte[0];

      @Override
      public void write(int partition, Object key, Object value) {
        UnsafeRow row = (UnsafeRow) value;
        int length = row.getSizeInBytes();
        if (size != null) {
          size.add(length);
        }
        if (row.getBaseObject() instanceof byte[] bytes) {
          int from = (int) (row.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
          out.send(partition, Frame.ROW, bytes, from, length);
        } else {
          if (copy.length < length) {
            copy = new byte[length];
          }
          Platform.copyMemory(
              row.getBaseObject(), row.getBaseOffset(), copy, Platform.BYTE_ARRAY_OFFSET, length);
          out.send(partition, Frame.ROW, copy, 0, length);
        }
      }

      @Override
      public void flush() {}
    };
  }

  /** Makes one row object that points into arrays. */
  static RowView view(Serializer serializer) {
    UnsafeRow row = new UnsafeRow((Integer) value(serializer, "numFields"));
    return new RowView() {
      @Override
      public Object pointTo(byte[] bytes, int offset, int length) {
        row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET + (long) offset, length);
        return row;
      }
    };
  }

  /** A reused row. */
  interface RowView {
    Object pointTo(byte[] bytes, int offset, int length);
  }

  private static Field field(Serializer serializer, String name) {
    try {
      Field field = serializer.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  private static Object value(Serializer serializer, String name) {
    try {
      return field(serializer, name).get(serializer);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
