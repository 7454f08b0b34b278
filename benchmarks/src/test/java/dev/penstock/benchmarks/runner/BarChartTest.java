package dev.penstock.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class BarChartTest {

  @Test
  void shouldDrawBarsInProportionWithinAGroup() throws Exception {
    Document svg =
        parse(
            BarChart.draw(
                "Title",
                List.of("machine", "command"),
                List.of(
                    new BarChart.Group(
                        "first",
                        List.of(
                            new BarChart.Bar("a", 100, 90, 200, "100 MB/s", false),
                            new BarChart.Bar("b", 50, 40, 60, "50 MB/s", true))),
                    new BarChart.Group(
                        "second", List.of(new BarChart.Bar("c", 7, 7, 7, "7 MB/s", false))))));

    NodeList bars = svg.getElementsByTagName("rect");
    assertEquals(4, bars.getLength(), "the background and three bars");
    double a = width(bars, 1);
    assertEquals(a / 2, width(bars, 2), 0.1);
    assertEquals(a * 2, width(bars, 3), 0.1, "a group has a scale of its own, the largest maximum");
    assertEquals(3, svg.getElementsByTagName("path").getLength(), "a whisker per bar");
  }

  @Test
  void shouldEscapeText() throws Exception {
    String svg = BarChart.draw("a < b & \"c\"", List.of(), List.of());

    assertEquals(
        "a < b & \"c\"", parse(svg).getElementsByTagName("title").item(0).getTextContent());
    assertTrue(svg.endsWith("</svg>\n"));
  }

  private static double width(NodeList bars, int index) {
    return Double.parseDouble(((Element) bars.item(index)).getAttribute("width"));
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }
}
