package dev.penstock.transport.protocol;

import java.util.Arrays;

/**
 * A lane's live flows by channel number: open addressing with linear probing and backward-shift
 * deletion.
 */
final class FlowTable {
  private Flow[] slots = new Flow[32];
  private int size;

  int size() {
    return size;
  }

  Flow get(int number) {
    int mask = slots.length - 1;
    for (int i = slot(number, mask); slots[i] != null; i = i + 1 & mask) {
      if (slots[i].number == number) {
        return slots[i];
      }
    }
    return null;
  }

  /** Adds a flow, or puts it in the place of the one with its number. */
  void put(Flow flow) {
    if ((size + 1) * 2 > slots.length) {
      grow();
    }
    int mask = slots.length - 1;
    int i = slot(flow.number, mask);
    while (slots[i] != null && slots[i].number != flow.number) {
      i = i + 1 & mask;
    }
    if (slots[i] == null) {
      size++;
    }
    slots[i] = flow;
  }

  void remove(int number) {
    int mask = slots.length - 1;
    int hole = slot(number, mask);
    while (slots[hole] != null && slots[hole].number != number) {
      hole = hole + 1 & mask;
    }
    if (slots[hole] == null) {
      return;
    }
    size--;
    for (int i = hole + 1 & mask; slots[i] != null; i = i + 1 & mask) {
      int home = slot(slots[i].number, mask);
      if ((i - home & mask) >= (i - hole & mask)) {
        slots[hole] = slots[i];
        hole = i;
      }
    }
    slots[hole] = null;
  }

  /** The flows, by ascending number; a copy. */
  Flow[] sorted() {
    Flow[] flows = new Flow[size];
    int n = 0;
    for (Flow flow : slots) {
      if (flow != null) {
        flows[n++] = flow;
      }
    }
    Arrays.sort(flows, (a, b) -> Integer.compareUnsigned(a.number, b.number));
    return flows;
  }

  private void grow() {
    Flow[] old = slots;
    slots = new Flow[old.length * 2];
    size = 0;
    for (Flow flow : old) {
      if (flow != null) {
        put(flow);
      }
    }
  }

  private static int slot(int number, int mask) {
    int hash = number * 0x9E3779B9;
    return (hash ^ hash >>> 16) & mask;
  }
}
