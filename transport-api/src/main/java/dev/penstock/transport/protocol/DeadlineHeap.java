package dev.penstock.transport.protocol;

import java.util.Arrays;

/** The flows of a lane ordered by deadline: a binary heap in which each flow knows its place. */
final class DeadlineHeap {
  private Flow[] heap = new Flow[16];
  private int size;

  /** The earliest deadline, or {@link Lane#NEVER}. */
  long earliest() {
    return size == 0 ? Lane.NEVER : heap[0].deadline;
  }

  /** The flow with the earliest deadline, or null. */
  Flow first() {
    return size == 0 ? null : heap[0];
  }

  /** Sets a flow's deadline; {@link Lane#NEVER} takes it out. */
  void set(Flow flow, long deadline) {
    if (flow.heapIndex < 0) {
      if (deadline == Lane.NEVER) {
        return;
      }
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, size * 2);
      }
      flow.deadline = deadline;
      place(flow, size++);
      up(flow.heapIndex);
    } else if (deadline == Lane.NEVER) {
      remove(flow);
    } else {
      flow.deadline = deadline;
      up(flow.heapIndex);
      down(flow.heapIndex);
    }
  }

  private void remove(Flow flow) {
    int index = flow.heapIndex;
    flow.heapIndex = -1;
    flow.deadline = Lane.NEVER;
    Flow last = heap[--size];
    heap[size] = null;
    if (last != flow) {
      place(last, index);
      up(index);
      down(last.heapIndex);
    }
  }

  private void up(int start) {
    int index = start;
    Flow flow = heap[index];
    while (index > 0 && before(flow, heap[(index - 1) / 2])) {
      place(heap[(index - 1) / 2], index);
      index = (index - 1) / 2;
    }
    place(flow, index);
  }

  private void down(int start) {
    int index = start;
    Flow flow = heap[index];
    while (true) {
      int child = 2 * index + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], flow)) {
        break;
      }
      place(heap[child], index);
      index = child;
    }
    place(flow, index);
  }

  private static boolean before(Flow a, Flow b) {
    return a.deadline - b.deadline < 0;
  }

  private void place(Flow flow, int index) {
    heap[index] = flow;
    flow.heapIndex = index;
  }
}
