package dev.penstock.transport.testkit;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves a transport's thread or an open socket behind. What goes away by itself
 * is given time; what stays is named, a thread with what it does. What another test left behind is
 * that test's failure alone.
 */
public final class NothingLeft implements BeforeEachCallback, AfterEachCallback {
  private static final String THREADS = "penstock-";
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
  private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(5);
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(NothingLeft.class);

  /** Creates the extension. */
  public NothingLeft() {}

  static {
    // The JDK keeps one socket of its own from the first use on.
    try {
      SocketChannel.open().close();
    } catch (IOException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(STORE).put("sockets", sockets());
    context.getStore(STORE).put("threads", Thread.getAllStackTraces().keySet());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    @SuppressWarnings("unchecked")
    Set<String> sockets = (Set<String>) context.getStore(STORE).get("sockets");
    @SuppressWarnings("unchecked")
    Set<Thread> threads = (Set<Thread>) context.getStore(STORE).get("threads");
    long deadline = System.nanoTime() + PATIENCE;
    List<String> left = left(sockets, threads);
    while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(LOOK_EVERY);
      left = left(sockets, threads);
    }
    if (!left.isEmpty()) {
      throw new AssertionError("left behind: " + left);
    }
  }

  private static List<String> left(Set<String> socketsBefore, Set<Thread> threadsBefore) {
    List<String> left = new ArrayList<>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              if (thread.getName().startsWith(THREADS) && !threadsBefore.contains(thread)) {
                left.add("thread " + thread.getName() + " at " + List.of(stack));
              }
            });
    for (String socket : sockets()) {
      if (!socketsBefore.contains(socket)) {
        left.add(socket + describe(socket));
      }
    }
    return left;
  }

  /** The process's sockets, where the system shows them. */
  private static Set<String> sockets() {
    Set<String> sockets = new HashSet<>();
    if (!Files.isDirectory(DESCRIPTORS)) {
      return sockets;
    }
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
        String target = target(descriptor);
        if (target.startsWith("socket:")) {
          sockets.add(target);
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return sockets;
  }

  /** What the kernel says about a socket: addresses and state, as it lists them. */
  private static String describe(String socket) {
    String inode = socket.replaceAll("[^0-9]", "");
    for (String table : List.of("tcp", "tcp6", "unix")) {
      try (Stream<String> lines = Files.lines(Path.of("/proc/net", table))) {
        String line = lines.filter(l -> l.contains(" " + inode + " ")).findFirst().orElse(null);
        if (line != null) {
          return " " + table + " " + line.strip();
        }
      } catch (IOException e) {
        return " not listed: " + e;
      }
    }
    return " not listed";
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed since it was listed
    }
  }
}
