package dev.penstock.benchmarks.runner;

import java.util.List;

/** Draws horizontal bars in groups as an SVG: one group per workload, one bar per system. */
final class BarChart {
  private static final int WIDTH = 860;
  private static final int LABEL_WIDTH = 190;
  private static final int VALUE_WIDTH = 190;
  private static final int BAR_HEIGHT = 18;
  private static final int ROW_HEIGHT = 26;
  private static final int GROUP_GAP = 40;
  private static final int HEADER_HEIGHT = 82;
  private static final int FOOTER_HEIGHT = 22;
  private static final int MARGIN = 20;

  /**
   * A bar.
   *
   * @param label what it stands for
   * @param value its length
   * @param low start of the whisker
   * @param high end of the whisker
   * @param note text behind it
   * @param ours whether it is drawn in the colour that stands out
   */
  record Bar(String label, double value, double low, double high, String note, boolean ours) {}

  /** Bars that share a scale and a heading. */
  record Group(String heading, List<Bar> bars) {

    Group {
      bars = List.copyOf(bars);
    }
  }

  private final Svg svg;

  private BarChart(Svg svg) {
    this.svg = svg;
  }

  static String draw(String title, List<String> subtitles, List<Group> groups) {
    int height = HEADER_HEIGHT + FOOTER_HEIGHT;
    for (Group group : groups) {
      height += GROUP_GAP + group.bars().size() * ROW_HEIGHT;
    }
    Svg svg = new Svg(WIDTH, height, MARGIN, title, subtitles);
    BarChart chart = new BarChart(svg);
    int top = HEADER_HEIGHT;
    for (Group group : groups) {
      chart.group(group, top);
      top += GROUP_GAP + group.bars().size() * ROW_HEIGHT;
    }
    return svg.end();
  }

  private void group(Group group, int top) {
    double scale = group.bars().stream().mapToDouble(Bar::high).max().orElse(1);
    svg.text(MARGIN, top + 26, "font-weight=\"600\" fill=\"#1b1f24\"", group.heading());
    int y = top + GROUP_GAP - 4;
    for (Bar bar : group.bars()) {
      bar(bar, y, scale);
      y += ROW_HEIGHT;
    }
  }

  private void bar(Bar bar, int y, double scale) {
    int left = MARGIN + LABEL_WIDTH;
    double pixels = (WIDTH - left - VALUE_WIDTH - MARGIN) / scale;
    int baseline = y + 14;
    double middle = y + BAR_HEIGHT / 2.0;
    svg.text(left - 8, baseline, "text-anchor=\"end\" fill=\"#1b1f24\"", bar.label());
    svg.add(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>",
        left, y, bar.value() * pixels, BAR_HEIGHT, bar.ours() ? "#1f6feb" : "#afb8c1");
    svg.add(
        "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#57606a\" stroke-width=\"1.5\"/>",
        left + bar.low() * pixels, middle, left + bar.high() * pixels);
    svg.text(left + bar.high() * pixels + 8, baseline, "fill=\"#59636e\"", bar.note());
  }
}
