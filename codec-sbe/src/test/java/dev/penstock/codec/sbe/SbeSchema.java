package dev.penstock.codec.sbe;

import java.io.InputStream;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** A schema file as a table, read without sbe-tool so that tests can check what that generated. */
record SbeSchema(int id, int version, ByteOrder order, List<Message> messages) {
  /**
   * A field of the block; {@code type} as the schema spells it, {@code wire} its primitive type.
   */
  record Field(
      String name,
      int id,
      String type,
      String wire,
      int offset,
      int length,
      int since,
      String description) {}

  /** A field behind the block, a length and then bytes. */
  record Variable(
      String name, int id, int lengthBytes, long maxLength, boolean text, String description) {}

  record Message(
      String name,
      int template,
      int blockLength,
      List<Field> fields,
      List<Variable> variables,
      String description) {
    /** As {@link dev.penstock.transport.wire.FrameKind} spells it. */
    String constant() {
      return name.equals("GoAway")
          ? "GOAWAY"
          : name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(java.util.Locale.ROOT);
    }
  }

  private record Type(String wire, int length) {}

  private static final Map<String, Integer> SIZES =
      Map.of("uint8", 1, "uint16", 2, "uint32", 4, "uint64", 8);

  static SbeSchema current() {
    return read("/penstock-sbe.xml");
  }

  static SbeSchema read(String resource) {
    try (InputStream in = SbeSchema.class.getResourceAsStream(resource)) {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return of(factory.newDocumentBuilder().parse(in));
    } catch (Exception e) {
      throw new AssertionError(resource, e);
    }
  }

  Message message(String name) {
    return messages.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  Message message(int template) {
    return messages.stream().filter(each -> each.template() == template).findFirst().orElseThrow();
  }

  private static SbeSchema of(Document document) {
    Element root = document.getDocumentElement();
    Map<String, Type> types = new HashMap<>();
    SIZES.forEach((name, size) -> types.put(name, new Type(name, size)));
    Map<String, Element> composites = new HashMap<>();
    for (Element type : children((Element) root.getElementsByTagName("types").item(0))) {
      if (type.getTagName().equals("composite")) {
        composites.put(type.getAttribute("name"), type);
      } else {
        String wire = type.getAttribute("primitiveType");
        int count = type.hasAttribute("length") ? number(type, "length") : 1;
        types.put(type.getAttribute("name"), new Type(wire, SIZES.get(wire) * count));
      }
    }
    List<Message> messages = new ArrayList<>();
    for (Element child : children(root)) {
      if (child.getTagName().equals("sbe:message")) {
        messages.add(message(child, types, composites));
      }
    }
    ByteOrder order =
        root.getAttribute("byteOrder").equals("littleEndian")
            ? ByteOrder.LITTLE_ENDIAN
            : ByteOrder.BIG_ENDIAN;
    return new SbeSchema(number(root, "id"), number(root, "version"), order, List.copyOf(messages));
  }

  private static Message message(
      Element element, Map<String, Type> types, Map<String, Element> composites) {
    List<Field> fields = new ArrayList<>();
    List<Variable> variables = new ArrayList<>();
    int offset = 0;
    for (Element child : children(element)) {
      String name = child.getAttribute("name");
      String type = child.getAttribute("type");
      String description = child.getAttribute("description");
      if (child.getTagName().equals("data")) {
        Element composite = composites.get(type);
        Element length = children(composite).get(0);
        boolean text = children(composite).get(1).hasAttribute("characterEncoding");
        variables.add(
            new Variable(
                name,
                number(child, "id"),
                SIZES.get(length.getAttribute("primitiveType")),
                number(length, "maxValue"),
                text,
                description));
      } else {
        Type resolved = types.get(type);
        int since = child.hasAttribute("sinceVersion") ? number(child, "sinceVersion") : 0;
        fields.add(
            new Field(
                name,
                number(child, "id"),
                type,
                resolved.wire(),
                offset,
                resolved.length(),
                since,
                description));
        offset += resolved.length();
      }
    }
    return new Message(
        element.getAttribute("name"),
        number(element, "id"),
        offset,
        List.copyOf(fields),
        List.copyOf(variables),
        element.getAttribute("description"));
  }

  private static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      if (nodes.item(i).getNodeType() == Node.ELEMENT_NODE) {
        children.add((Element) nodes.item(i));
      }
    }
    return children;
  }

  private static int number(Element element, String attribute) {
    return Integer.parseInt(element.getAttribute(attribute));
  }
}
