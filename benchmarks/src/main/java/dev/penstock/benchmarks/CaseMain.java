package dev.penstock.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The JVM of one case: runs it, and prints one line of JSON with what was measured. */
public final class CaseMain {
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(30);

  private CaseMain() {}

  /** Runs the case that the arguments describe. */
  public static void main(String[] args) {
    // A library that prints must not end up between the lines that the runner reads.
    PrintStream out = System.out;
    System.setOut(System.err);
    int exitCode = 0;
    try {
      CaseOptions options = CaseOptions.parse(args);
      if (options.onlySends()) {
        send(options, out);
      } else {
        out.println(new CaseRun(options).run().orFail().toJson());
      }
    } catch (Throwable e) {
      e.printStackTrace();
      exitCode = 1;
    }
    out.flush();
    // Some systems leave threads behind that would keep the JVM alive.
    System.exit(exitCode);
  }

  /** The JVM that only sends: what it says and hears, {@link RemoteSending} hears and says. */
  private static void send(CaseOptions options, PrintStream out) throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (MessageSystem system = options.newSystem()) {
      system.connect(options.workload(), options.endpoint());
      out.println(RemoteSending.READY);
      try (LocalSending sending = new LocalSending(system, options.workload())) {
        sending.start(Schedule.parse(in.readLine()));
        // Returns on the word to stop, and when the other JVM is gone.
        String line = in.readLine();
        if (line != null && !line.equals(RemoteSending.STOP)) {
          throw new IOException("expected '" + RemoteSending.STOP + "', got '" + line + "'");
        }
        out.println(sending.stop(STOP_DEADLINE).text());
      }
    }
  }
}
