package dev.penstock.benchmarks.runner;

import java.util.List;
import java.util.Locale;

/** An SVG drawing that begins with a heading; charts add their parts. */
final class Svg {
  private final StringBuilder out = new StringBuilder();

  Svg(int width, int height, int margin, String title, List<String> subtitles) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
            + " role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"13\">",
        width, height, width, height);
    add("<title>%s</title>", escape(title));
    add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height);
    text(margin, 30, "font-size=\"18\" font-weight=\"600\" fill=\"#1b1f24\"", title);
    int y = 50;
    for (String subtitle : subtitles) {
      text(margin, y, "fill=\"#59636e\"", subtitle);
      y += 18;
    }
  }

  void text(double x, double y, String attributes, String content) {
    add("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>", x, y, attributes, escape(content));
  }

  /** A line of its own. */
  void add(String pattern, Object... arguments) {
    out.append(format(pattern, arguments)).append('\n');
  }

  String end() {
    return out.append("</svg>\n").toString();
  }

  static String format(String pattern, Object... arguments) {
    return String.format(Locale.ROOT, pattern, arguments);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
