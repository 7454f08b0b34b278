package dev.penstock.benchmarks.runner;

import java.util.List;
import java.util.Locale;

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

  private final StringBuilder out = new StringBuilder();

  private BarChart() {}

  static String draw(String title, List<String> subtitles, List<Group> groups) {
    BarChart chart = new BarChart();
    int height = HEADER_HEIGHT + FOOTER_HEIGHT;
    for (Group group : groups) {
      height += GROUP_GAP + group.bars().size() * ROW_HEIGHT;
    }
    chart.open(height, title, subtitles);
    int top = HEADER_HEIGHT;
    for (Group group : groups) {
      chart.group(group, top);
      top += GROUP_GAP + group.bars().size() * ROW_HEIGHT;
    }
    chart.out.append("</svg>\n");
    return chart.out.toString();
  }

  private void open(int height, String title, List<String> subtitles) {
    out.append(
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                + " role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"13\">%n",
            WIDTH, height, WIDTH, height));
    out.append(format("<title>%s</title>%n", escape(title)));
    out.append(format("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n", WIDTH, height));
    text(MARGIN, 30, "font-size=\"18\" font-weight=\"600\" fill=\"#1b1f24\"", title);
    int y = 50;
    for (String subtitle : subtitles) {
      text(MARGIN, y, "fill=\"#59636e\"", subtitle);
      y += 18;
    }
  }

  private void group(Group group, int top) {
    double scale = group.bars().stream().mapToDouble(Bar::high).max().orElse(1);
    text(MARGIN, top + 26, "font-weight=\"600\" fill=\"#1b1f24\"", group.heading());
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
    text(left - 8, baseline, "text-anchor=\"end\" fill=\"#1b1f24\"", bar.label());
    out.append(
        format(
            "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>%n",
            left, y, bar.value() * pixels, BAR_HEIGHT, bar.ours() ? "#1f6feb" : "#afb8c1"));
    out.append(
        format(
            "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#57606a\" stroke-width=\"1.5\"/>%n",
            left + bar.low() * pixels, middle, left + bar.high() * pixels));
    text(left + bar.high() * pixels + 8, baseline, "fill=\"#59636e\"", bar.note());
  }

  private void text(double x, double y, String attributes, String content) {
    out.append(
        format("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>%n", x, y, attributes, escape(content)));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String format(String pattern, Object... arguments) {
    return String.format(Locale.ROOT, pattern.replace("%n", "\n"), arguments);
  }
}
