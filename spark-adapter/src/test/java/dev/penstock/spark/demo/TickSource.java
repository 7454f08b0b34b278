package dev.penstock.spark.demo;

import java.io.InterruptedIOException;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeMode;
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeRead;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Rows (id, created): each partition makes one every so often, on a schedule that its offsets fix,
 * so a replayed batch has the same rows. {@code created} is when a row was due, in epoch
 * milliseconds. Options: {@code partitions}, {@code perSecond} (each), {@code rows} (each; after
 * those it is silent).
 */
public final class TickSource implements TableProvider {
  static final StructType SCHEMA =
      new StructType().add("id", DataTypes.LongType).add("created", DataTypes.LongType);

  /** Created by Spark. */
  public TickSource() {}

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SCHEMA;
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> options) {
    return new TickTable();
  }

  private static final class TickTable implements Table, SupportsRead {
    @Override
    public String name() {
      return "ticks";
    }

    @Override
    @SuppressWarnings("deprecation")
    public StructType schema() {
      return SCHEMA;
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.MICRO_BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      Plan plan =
          new Plan(
              options.getInt("partitions", 2),
              options.getInt("perSecond", 100),
              options.getLong("rows", Long.MAX_VALUE));
      return () ->
          new Scan() {
            @Override
            public StructType readSchema() {
              return SCHEMA;
            }

            @Override
            public MicroBatchStream toMicroBatchStream(String checkpoint) {
              return new TickStream(plan);
            }
          };
    }
  }

  /** The schedule. */
  record Plan(int partitions, int perSecond, long rows) implements Serializable {
    long dueMillis(long startMillis, long row) {
      return startMillis + row * 1000 / perSecond;
    }

    /** How many rows are due. */
    long due(long startMillis, long nowMillis) {
      return Math.min(rows, Math.max(0, (nowMillis - startMillis) * perSecond / 1000));
    }
  }

  private static final class TickStream implements MicroBatchStream, SupportsRealTimeMode {
    private final Plan plan;
    private long startMillis = System.currentTimeMillis();

    TickStream(Plan plan) {
      this.plan = plan;
    }

    @Override
    public Offset initialOffset() {
      return new TickOffset(startMillis, new long[plan.partitions()]);
    }

    @Override
    public Offset latestOffset() {
      long[] next = new long[plan.partitions()];
      java.util.Arrays.fill(next, plan.due(startMillis, System.currentTimeMillis()));
      return new TickOffset(startMillis, next);
    }

    @Override
    public Offset deserializeOffset(String json) {
      TickOffset offset = TickOffset.parse(json);
      startMillis = offset.startMillis();
      return offset;
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start, Offset end) {
      TickOffset from = (TickOffset) start;
      InputPartition[] all = new InputPartition[plan.partitions()];
      for (int i = 0; i < all.length; i++) {
        long until = end == null ? plan.rows() : ((TickOffset) end).next(i);
        all[i] = new Part(plan, i, from.startMillis(), from.next(i), until);
      }
      return all;
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start) {
      return planInputPartitions(start, null);
    }

    @Override
    public Offset mergeOffsets(PartitionOffset[] offsets) {
      long[] next = new long[plan.partitions()];
      for (PartitionOffset offset : offsets) {
        next[((Position) offset).partition()] = ((Position) offset).next();
      }
      return new TickOffset(startMillis, next);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return new Factory();
    }

    @Override
    public void commit(Offset end) {}

    @Override
    public void stop() {}
  }

  private record Position(int partition, long next) implements PartitionOffset {}

  private record Part(Plan plan, int number, long startMillis, long from, long until)
      implements InputPartition {}

  private static final class Factory implements PartitionReaderFactory {
    private static final long serialVersionUID = 1L;

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      return new Reader((Part) partition);
    }
  }

  private static final class Reader implements SupportsRealTimeRead<InternalRow> {
    private final Part part;
    private final GenericInternalRow row = new GenericInternalRow(2);
    private long next;

    Reader(Part part) {
      this.part = part;
      this.next = part.from();
    }

    @Override
    public PartitionOffset getOffset() {
      return new Position(part.number(), next);
    }

    @Override
    public RecordStatus nextWithTimeout(Long nowMillis, Long timeoutMillis)
        throws InterruptedIOException {
      long due = part.plan().dueMillis(part.startMillis(), next);
      long wait = next < part.until() ? due - System.currentTimeMillis() : Long.MAX_VALUE;
      try {
        if (wait > timeoutMillis) {
          Thread.sleep(timeoutMillis);
          return RecordStatus.newStatusWithoutArrivalTime(false);
        }
        if (wait > 0) {
          Thread.sleep(wait);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("stopped while waiting for the next row");
      }
      fill(due);
      return RecordStatus.newStatusWithArrivalTimeMs(due);
    }

    @Override
    public boolean next() {
      if (next >= part.until()) {
        return false;
      }
      fill(part.plan().dueMillis(part.startMillis(), next));
      return true;
    }

    private void fill(long due) {
      row.setLong(0, next * part.plan().partitions() + part.number());
      row.setLong(1, due);
      next++;
    }

    @Override
    public InternalRow get() {
      return row;
    }

    @Override
    public void close() {}
  }
}
