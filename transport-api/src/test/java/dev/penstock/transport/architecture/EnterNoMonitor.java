package dev.penstock.transport.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** Reads the byte code, because ArchUnit has no model of synchronized blocks. */
final class EnterNoMonitor extends ArchCondition<JavaClass> {
  private boolean anyEnters;

  EnterNoMonitor() {
    super("enter no monitor");
  }

  /**
   * One run over all classes, since javap is slow to start; single classes only to name the
   * culprit.
   */
  @Override
  public void init(Collection<JavaClass> types) {
    anyEnters = entersMonitor(types);
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    boolean enters = anyEnters && entersMonitor(List.of(type));
    events.add(
        new SimpleConditionEvent(type, !enters, type.getFullName() + " has a synchronized block"));
  }

  private static boolean entersMonitor(Collection<JavaClass> types) {
    Stream<String> files =
        types.stream().map(type -> Path.of(type.getSource().orElseThrow().getUri()).toString());
    String[] arguments = Stream.concat(Stream.of("-p", "-c"), files).toArray(String[]::new);
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    int status = ToolProvider.findFirst("javap").orElseThrow().run(writer, writer, arguments);
    if (status != 0) {
      throw new IllegalStateException("javap answered " + status + ": " + text);
    }
    return text.toString().contains("monitorenter");
  }
}
