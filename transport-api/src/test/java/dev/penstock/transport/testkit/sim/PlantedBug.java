package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.wire.WireCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The project's own source with one thing wrong: a file is changed, compiled in memory, and the
 * simulator runs against the result in a class loader of its own. Production code knows nothing of
 * it, and a planted bug whose source has changed does not go unnoticed.
 */
final class PlantedBug {
  private static final List<String> ISOLATED =
      List.of("dev.penstock.transport.protocol.", "dev.penstock.transport.testkit.sim.");

  private final String name;
  private final Method run;

  /**
   * Plants a bug.
   *
   * @param name for people
   * @param file the source file, from the module's directory
   * @param right what stands there
   * @param wrong what is put in its place
   */
  PlantedBug(String name, String file, String right, String wrong) {
    this.name = name;
    try {
      Path path = Path.of(file);
      String source = Files.readString(path);
      int at = source.indexOf(right);
      if (at < 0 || source.indexOf(right, at + 1) >= 0) {
        throw new IllegalStateException(
            name + ": expected once in " + file + ", is not or more often: " + right);
      }
      String changed = source.substring(0, at) + wrong + source.substring(at + right.length());
      Map<String, byte[]> classes = compile(path, changed);
      Class<?> simulation =
          new Isolation(classes).loadClass("dev.penstock.transport.testkit.sim.Simulation");
      run = simulation.getMethod("run", long.class, WireCodec.class, boolean.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs seeds until one fails; returns it, or -1 when all succeed. */
  long find(WireCodec codec, int seeds) {
    for (long seed = 1; seed <= seeds; seed++) {
      if (failure(seed, codec) != null) {
        return seed;
      }
    }
    return -1;
  }

  /** What a seed fails with; null when it does not. */
  String failure(long seed, WireCodec codec) {
    try {
      Object result = run.invoke(null, seed, codec, false);
      Method failure = result.getClass().getMethod("failure");
      failure.setAccessible(true);
      Object found = failure.invoke(result);
      return found == null ? null : found.toString();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(name, e);
    }
  }

  private static Map<String, byte[]> compile(Path path, String source) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, byte[]> classes = new HashMap<>();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
        JavaFileManager manager = new Memory(standard, classes)) {
      List<String> options =
          List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
      boolean compiled =
          compiler
              .getTask(messages, manager, null, options, null, List.of(new Source(path, source)))
              .call();
      if (!compiled) {
        throw new IllegalStateException("a planted bug must compile: " + messages);
      }
    }
    return classes;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(Path path, String text) {
      super(URI.create("string:///" + path.getFileName()), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, byte[]> classes;

    Memory(JavaFileManager manager, Map<String, byte[]> classes) {
      super(manager);
      this.classes = classes;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
        @Override
        public java.io.OutputStream openOutputStream() {
          return new java.io.ByteArrayOutputStream() {
            @Override
            public void close() {
              classes.put(className, toByteArray());
            }
          };
        }
      };
    }
  }

  /** Defines the core's and the simulator's classes anew, some of them changed. */
  private static final class Isolation extends ClassLoader {
    private final Map<String, byte[]> changed;

    Isolation(Map<String, byte[]> changed) {
      super(PlantedBug.class.getClassLoader());
      this.changed = changed;
    }

    @Override
    protected Class<?> loadClass(String className, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(className)) {
        Class<?> loaded = findLoadedClass(className);
        if (loaded == null && ISOLATED.stream().anyMatch(className::startsWith)) {
          byte[] bytes = changed.getOrDefault(className, null);
          if (bytes == null) {
            bytes = original(className);
          }
          loaded = defineClass(className, bytes, 0, bytes.length);
        }
        return loaded == null ? super.loadClass(className, resolve) : loaded;
      }
    }

    private byte[] original(String className) throws ClassNotFoundException {
      String resource = className.replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(resource)) {
        if (in == null) {
          throw new ClassNotFoundException(className);
        }
        return in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(className, e);
      }
    }
  }
}
