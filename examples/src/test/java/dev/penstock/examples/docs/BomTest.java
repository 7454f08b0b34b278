package dev.penstock.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The BOM manages what is published: all of it, nothing else, at the version of the build. */
class BomTest {
  /** Folders; what is below them is not published either. */
  private static final Set<String> NOT_PUBLISHED = Set.of("bom", "benchmarks", "examples");

  private static List<String> select(Path pom, String expression) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    XPath path = XPathFactory.newInstance().newXPath();
    NodeList nodes = (NodeList) path.evaluate(expression, document, XPathConstants.NODESET);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      values.add(nodes.item(i).getTextContent().strip());
    }
    return values;
  }

  @Test
  void shouldManageEveryPublishedModuleAndNoOther() throws Exception {
    Path root = Path.of("..");
    Set<String> published = new TreeSet<>();
    for (String module : select(root.resolve("pom.xml"), "/project/modules/module")) {
      if (!NOT_PUBLISHED.contains(Path.of(module).getName(0).toString())) {
        published.addAll(select(root.resolve(module).resolve("pom.xml"), "/project/artifactId"));
      }
    }
    Path bom = root.resolve("bom").resolve("pom.xml");
    assertThat(published).hasSizeGreaterThan(2);
    assertThat(select(bom, "//dependencyManagement/dependencies/dependency/artifactId"))
        .containsExactlyInAnyOrderElementsOf(published);
  }

  @Test
  void shouldHaveTheVersionOfTheBuild() throws Exception {
    assertThat(select(Path.of("..", "bom", "pom.xml"), "/project/version"))
        .isEqualTo(select(Path.of("..", "pom.xml"), "/project/version"));
  }

  @Test
  void shouldBeTheVersionsThatTheReadmeNames() throws Exception {
    Path root = Path.of("..");
    String build = select(root.resolve("pom.xml"), "/project/version").get(0);
    String netty = select(root.resolve("pom.xml"), "/project/properties/netty.version").get(0);
    Matcher named =
        Pattern.compile("<version>(.*?)</version>")
            .matcher(Files.readString(root.resolve("README.md")));
    assertThat(named.results().map(version -> version.group(1)))
        .containsExactly(build, build, netty);
  }
}
