package dev.penstock.transport.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;

/**
 * What the protocol core may not touch and what the API may not know, each as a rule over classes.
 */
final class CoreRules {
  static final ArchRule NO_CONCURRENCY = coreAvoids(resideInAPackage("java.util.concurrent.."));

  static final ArchRule NO_THREADS =
      coreAvoids(
          belongToAnyOf(
              Thread.class, ThreadGroup.class, ThreadLocal.class, Timer.class, Runtime.class));

  static final ArchRule NO_CLOCK_OBJECTS =
      coreAvoids(
          resideInAPackage("java.time..")
              .and(DescribedPredicate.not(belongToAnyOf(java.time.Duration.class)))
              .as("of java.time other than Duration"));

  static final ArchRule NO_SOCKETS =
      coreAvoids(resideInAnyPackage("java.net..", "javax.net..", "java.nio.channels.."));

  static final ArchRule NO_FILES_OR_STREAMS =
      coreAvoids(
          resideInAnyPackage("java.io..", "java.nio.file..")
              .and(DescribedPredicate.not(belongToAnyOf(java.io.Serializable.class)))
              .as("of java.io and java.nio.file other than Serializable"));

  static final ArchRule NO_RANDOMNESS =
      coreAvoids(
          belongToAnyOf(Random.class, SplittableRandom.class)
              .or(resideInAPackage("java.util.random.."))
              .or(describe("SecureRandom", type -> named(type, "java.security.SecureRandom"))));

  static final ArchRule NO_RANDOM_VALUES =
      coreClasses()
          .should()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(StrictMath.class, "random")
          .orShould()
          .callMethod(UUID.class, "randomUUID");

  static final ArchRule NO_SYSTEM_CLOCK =
      coreClasses()
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  static final ArchRule NO_CONSOLE =
      coreClasses()
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .accessField(System.class, "in");

  static final ArchRule NO_LOGGING =
      coreAvoids(describe("loggers", type -> named(type, "java.lang.System$Logger")));

  static final ArchRule NO_MONITOR_CALLS =
      coreClasses()
          .should()
          .callMethod(Object.class, "wait")
          .orShould()
          .callMethod(Object.class, "wait", long.class)
          .orShould()
          .callMethod(Object.class, "wait", long.class, int.class)
          .orShould()
          .callMethod(Object.class, "notify")
          .orShould()
          .callMethod(Object.class, "notifyAll");

  static final ArchRule NO_SYNCHRONIZED_METHODS =
      methods()
          .that()
          .areDeclaredInClassesThat(core())
          .should()
          .notHaveModifier(JavaModifier.SYNCHRONIZED);

  static final ArchRule NO_SYNCHRONIZED_BLOCKS =
      classes().that(core()).should(new EnterNoMonitor());

  static final ArchRule NO_VOLATILE_FIELDS =
      fields()
          .that()
          .areDeclaredInClassesThat(core())
          .should()
          .notHaveModifier(JavaModifier.VOLATILE);

  static final ArchRule WIRE_KNOWS_NO_MACHINE =
      noClasses()
          .that()
          .resideInAPackage("dev.penstock.transport..wire..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.penstock.transport..protocol..", "dev.penstock.transport.spi");

  static final ArchRule API_KNOWS_NO_CODEC_AND_NO_SHELL =
      noClasses()
          .that()
          .resideInAPackage("dev.penstock.transport..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.penstock.codec..", "dev.penstock.transport.netty..", "dev.penstock.spark..");

  static final ArchRule API_KNOWS_ONLY_THE_JDK =
      classes()
          .that()
          .resideInAPackage("dev.penstock.transport..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "javax.net..", "javax.crypto..", "dev.penstock..", "");

  private CoreRules() {}

  private static DescribedPredicate<JavaClass> core() {
    return resideInAnyPackage(
        "dev.penstock.transport..wire..", "dev.penstock.transport..protocol..");
  }

  private static com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction coreClasses() {
    return noClasses().that(core());
  }

  private static ArchRule coreAvoids(DescribedPredicate<? super JavaClass> types) {
    return coreClasses().should().dependOnClassesThat(types);
  }

  private static boolean named(JavaClass type, String name) {
    return type.getFullName().equals(name);
  }
}
