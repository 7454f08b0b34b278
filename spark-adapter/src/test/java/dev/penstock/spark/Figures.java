package dev.penstock.spark;

/** What the driver has counted. */
record Figures(long pipelined, long completed, long fellBack) {
  Figures since(Figures before) {
    return new Figures(
        pipelined - before.pipelined, completed - before.completed, fellBack - before.fellBack);
  }
}
