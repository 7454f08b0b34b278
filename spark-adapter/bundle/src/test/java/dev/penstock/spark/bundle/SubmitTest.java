package dev.penstock.spark.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts an application as users do, with two executors in JVMs of their own. */
class SubmitTest {
  private static final Pattern TOTALS =
      Pattern.compile(
          "Penstock: (\\d+) shuffles pipelined, of which (\\d+) fell back, (\\d+) to the sort"
              + " shuffle at once; generations: (\\d+) started, (\\d+) complete, (\\d+) failed");

  @TempDir Path checkpoint;

  private SparkHome.Ended submit(String... settings) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--master", "local-cluster[2,4,700]"));
    arguments.addAll(List.of("--conf", "spark.plugins=dev.penstock.spark.PenstockPlugin"));
    arguments.addAll(List.of("--conf", "spark.executor.memory=600m"));
    arguments.addAll(List.of("--conf", "spark.sql.shuffle.partitions=2"));
    arguments.addAll(List.of("--conf", "spark.ui.enabled=false"));
    arguments.addAll(List.of(settings));
    arguments.addAll(List.of("--class", Submitted.class.getName()));
    arguments.add(SparkHome.applicationJar().toString());
    arguments.add(checkpoint.toString());
    return SparkHome.submit(arguments.toArray(String[]::new));
  }

  private static void hasRun(SparkHome.Ended ended, String loader) {
    assertThat(ended.code()).as(ended.text()).isZero();
    assertThat(ended.text())
        .contains("SUBMITTED [driver=" + loader + ", executor=" + loader + "]")
        .containsPattern("Got job \\d+ \\(Penstock: writers of shuffle");
  }

  private static void hasRunAndSaysSo(SparkHome.Ended ended, String loader) {
    hasRun(ended, loader);
    assertThat(ended.text())
        .contains("Shuffle 0 goes to the sort shuffle: spark.penstock.mode=streaming");
    MatchResult totals = TOTALS.matcher(ended.text()).results().findFirst().orElseThrow();
    assertThat(Integer.parseInt(totals.group(1))).as(totals.group()).isGreaterThanOrEqualTo(2);
    assertThat(totals.group(2)).as(totals.group()).isEqualTo("0");
    assertThat(Integer.parseInt(totals.group(5))).as(totals.group()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void shouldRunFromJars() throws Exception {
    hasRunAndSaysSo(submit("--jars", SparkHome.BUNDLE.toString()), "MutableURLClassLoader");
  }

  @Test
  @Tag("spark-suites")
  void shouldRunFromJarsThatComeBeforeSparksOwn() throws Exception {
    // Without a file that sets logging up, log4j shows only errors to loaders of this kind.
    hasRun(
        submit(
            "--jars",
            SparkHome.BUNDLE.toString(),
            "--conf",
            "spark.driver.userClassPathFirst=true",
            "--conf",
            "spark.executor.userClassPathFirst=true"),
        "ChildFirstURLClassLoader");
  }

  @Test
  @Tag("spark-suites")
  void shouldRunFromTheClassPath() throws Exception {
    hasRunAndSaysSo(
        submit(
            "--conf",
            "spark.driver.extraClassPath=" + SparkHome.BUNDLE,
            "--conf",
            "spark.executor.extraClassPath=" + SparkHome.BUNDLE),
        "AppClassLoader");
  }

  @Test
  @Tag("spark-suites")
  void shouldNotStartWithoutTheBundle() throws Exception {
    SparkHome.Ended ended = submit();

    assertThat(ended.code()).isNotZero();
    assertThat(ended.text()).contains("ClassNotFoundException: dev.penstock.spark.PenstockPlugin");
  }
}
