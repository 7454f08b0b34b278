package dev.penstock.benchmarks.runner;

import java.util.List;
import java.util.TreeSet;

/**
 * Draws curves as an SVG: a logarithmic axis from left to right, a linear one from zero upwards.
 */
final class LineChart {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 440;
  private static final int MARGIN = 20;
  private static final int LEFT = 80;
  private static final int RIGHT = 270;
  private static final int TOP = 104;
  private static final int BOTTOM = 60;
  private static final int STEPS = 5;
  private static final List<String> COLOURS =
      List.of("#1f6feb", "#57606a", "#bf8700", "#8250df", "#cf222e");

  /**
   * A measured point.
   *
   * @param x where on the logarithmic axis, above zero
   * @param label what stands below the axis there
   * @param value the median
   * @param low the smallest
   * @param high the largest
   */
  record Point(double x, String label, double value, double low, double high) {}

  /** Points of one system, from left to right. */
  record Curve(String title, List<Point> points) {

    Curve {
      points = List.copyOf(points);
    }
  }

  /** What the axes stand for. */
  record Axes(String x, String y) {}

  private final Svg svg;
  private final double smallest;
  private final double largest;
  private final double top;

  private LineChart(Svg svg, List<Curve> curves) {
    this.svg = svg;
    List<Point> all = curves.stream().flatMap(curve -> curve.points().stream()).toList();
    smallest = all.stream().mapToDouble(Point::x).min().orElse(1);
    largest = all.stream().mapToDouble(Point::x).max().orElse(1);
    top = roundUp(all.stream().mapToDouble(Point::high).max().orElse(1));
  }

  static String draw(String title, List<String> subtitles, Axes axes, List<Curve> curves) {
    Svg svg = new Svg(WIDTH, HEIGHT, MARGIN, title, subtitles);
    LineChart chart = new LineChart(svg, curves);
    chart.grid(axes, curves);
    for (int i = 0; i < curves.size(); i++) {
      chart.curve(curves.get(i), COLOURS.get(i % COLOURS.size()), i);
    }
    return svg.end();
  }

  private void grid(Axes axes, List<Curve> curves) {
    for (int step = 0; step <= STEPS; step++) {
      double value = top * step / STEPS;
      svg.add("<path d=\"M%d %.1fH%d\" stroke=\"#d1d9e0\"/>", LEFT, vertical(value), WIDTH - RIGHT);
      svg.text(
          LEFT - 8, vertical(value) + 4, "text-anchor=\"end\" fill=\"#59636e\"", number(value));
    }
    TreeSet<Double> seen = new TreeSet<>();
    for (Curve curve : curves) {
      for (Point point : curve.points()) {
        if (seen.add(point.x())) {
          svg.text(
              horizontal(point.x()),
              HEIGHT - BOTTOM + 18,
              "text-anchor=\"middle\" fill=\"#59636e\"",
              point.label());
        }
      }
    }
    svg.text(
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - BOTTOM + 42,
        "text-anchor=\"middle\" fill=\"#1b1f24\"",
        axes.x());
    svg.text(LEFT - 60, TOP - 6, "fill=\"#1b1f24\"", axes.y());
  }

  private void curve(Curve curve, String colour, int index) {
    StringBuilder path = new StringBuilder();
    for (Point point : curve.points()) {
      path.append(
          Svg.format(
              "%s%.1f %.1f",
              path.length() == 0 ? "M" : "L", horizontal(point.x()), vertical(point.value())));
    }
    svg.add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path, colour);
    for (Point point : curve.points()) {
      double x = horizontal(point.x());
      svg.add(
          "<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\"/>",
          x, vertical(point.low()), vertical(point.high()), colour);
      svg.add(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>",
          x, vertical(point.value()), colour);
    }
    int y = TOP + 10 + index * 22;
    svg.add(
        "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>",
        WIDTH - RIGHT + 20, y - 6, colour);
    svg.text(WIDTH - RIGHT + 42, y, "fill=\"#1b1f24\"", curve.title());
  }

  private double horizontal(double x) {
    double share =
        largest == smallest ? 0.5 : Math.log(x / smallest) / Math.log(largest / smallest);
    return LEFT + 20 + share * (WIDTH - LEFT - RIGHT - 40);
  }

  private double vertical(double value) {
    return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
  }

  /** To one, two or five times a power of ten. */
  static double roundUp(double value) {
    if (value <= 0) {
      return 1;
    }
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (double factor : new double[] {1, 2, 2.5, 5}) {
      if (value <= factor * power) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private static String number(double value) {
    return Svg.format(value < 10 ? "%.1f" : "%,.0f", value);
  }
}
