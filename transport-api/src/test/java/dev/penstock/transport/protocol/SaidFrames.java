package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Welcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** Keeps the frames that one side says, and lets them be said again to another. */
final class SaidFrames {
  /** One frame. */
  record Said(Method method, List<Object> arguments) {
    String kind() {
      return method.getName();
    }

    void sayTo(Frames other) {
      try {
        method.invoke(other, arguments.toArray());
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new AssertionError(e);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
  }

  final List<Said> all = new ArrayList<>();

  Frames recorder() {
    return (Frames)
        Proxy.newProxyInstance(
            Frames.class.getClassLoader(),
            new Class<?>[] {Frames.class},
            (proxy, method, arguments) -> {
              all.add(new Said(method, List.of(arguments)));
              return null;
            });
  }

  List<String> kinds() {
    return all.stream().map(Said::kind).toList();
  }

  Hello hello() {
    return (Hello) only("hello").arguments.get(0);
  }

  Welcome welcome() {
    return (Welcome) only("welcome").arguments.get(0);
  }

  Octets proof() {
    return (Octets) only("proof").arguments.get(0);
  }

  ErrorCode goAwayCode() {
    return (ErrorCode) only("goAway").arguments.get(0);
  }

  String goAwayText() {
    return (String) only("goAway").arguments.get(1);
  }

  private Said only(String kind) {
    List<Said> found = all.stream().filter(said -> said.kind().equals(kind)).toList();
    if (found.size() != 1) {
      throw new AssertionError("expected one " + kind + ", got " + kinds());
    }
    return found.get(0);
  }
}
