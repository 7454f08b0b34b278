package dev.penstock.spark;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;

/**
 * Objects of any serializer, in messages that each can be read by themselves. A message leaves when
 * it is full, or when the flusher finds it waiting; the lock is between the task and the flusher,
 * which never waits for it.
 */
final class StreamSink implements RecordSink {
  private final ReentrantLock lock = new ReentrantLock();
  private final SerializerInstance serializer;
  private final boolean shared;
  private final int batchBytes;
  private final GateWriter out;
  private final Batch[] batches;
  private final Buffer scratch = new Buffer();
  private SerializationStream scratchStream;

  StreamSink(Serializer serializer, int partitions, int batchBytes, GateWriter out) {
    this.serializer = serializer.newInstance();
    // Then records' bytes may be put together in any order: one stream serves all partitions.
    this.shared = serializer.supportsRelocationOfSerializedObjects();
    this.batchBytes = batchBytes;
    this.out = out;
    this.batches = new Batch[partitions];
    for (int i = 0; i < partitions; i++) {
      batches[i] = new Batch();
    }
  }

  @Override
  public void write(int partition, Object key, Object value) {
    lock.lock();
    try {
      Batch batch = batches[partition];
      if (shared) {
        if (scratchStream == null) {
          scratchStream = serializer.serializeStream(scratch);
        }
        scratchStream.writeKey(key, ClassTag.Any()).writeValue(value, ClassTag.Any()).flush();
        scratch.moveTo(batch.bytes);
      } else {
        if (batch.stream == null) {
          if (batch.records > 0) {
            // The flusher has closed it and found no room: it goes as it is.
            send(partition);
          }
          batch.stream = serializer.serializeStream(batch.bytes);
        }
        batch.stream.writeKey(key, ClassTag.Any()).writeValue(value, ClassTag.Any());
      }
      batch.records++;
      if (batch.bytes.size() >= batchBytes) {
        send(partition);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void flush() {
    lock.lock();
    try {
      for (int i = 0; i < batches.length; i++) {
        if (batches[i].records > 0) {
          send(i);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Called by the flusher: sends what waits, if that needs no waiting. */
  void flushOld() {
    if (!lock.tryLock()) {
      return;
    }
    try {
      for (int i = 0; i < batches.length; i++) {
        Batch batch = batches[i];
        if (batch.records > 0) {
          batch.end();
          if (!out.trySend(i, Frame.STREAM, batch.bytes.array(), batch.bytes.size())) {
            continue;
          }
          batch.clear();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      if (scratchStream != null) {
        scratchStream.close();
        scratchStream = null;
      }
      for (Batch batch : batches) {
        batch.end();
        batch.clear();
      }
    } finally {
      lock.unlock();
    }
  }

  private void send(int partition) {
    Batch batch = batches[partition];
    batch.end();
    out.send(partition, Frame.STREAM, batch.bytes.array(), 0, batch.bytes.size());
    batch.clear();
  }

  /** What waits for one partition. */
  private static final class Batch {
    final Buffer bytes = new Buffer();
    SerializationStream stream;
    int records;

    void end() {
      if (stream != null) {
        stream.close();
        stream = null;
      }
    }

    void clear() {
      bytes.reset();
      records = 0;
    }
  }

  /** Shows its array. */
  private static final class Buffer extends ByteArrayOutputStream {
    byte[] array() {
      return buf;
    }

    void moveTo(Buffer other) {
      other.write(buf, 0, count);
      count = 0;
    }
  }
}
