package dev.penstock.transport.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.penstock.transport.architecture.planted.api.LibraryUser;
import dev.penstock.transport.architecture.planted.api.ShellUser;
import dev.penstock.transport.architecture.planted.protocol.BlockLocker;
import dev.penstock.transport.architecture.planted.protocol.ClockHolder;
import dev.penstock.transport.architecture.planted.protocol.ClockReader;
import dev.penstock.transport.architecture.planted.protocol.FileReader;
import dev.penstock.transport.architecture.planted.protocol.LockHolder;
import dev.penstock.transport.architecture.planted.protocol.MethodLocker;
import dev.penstock.transport.architecture.planted.protocol.Printer;
import dev.penstock.transport.architecture.planted.protocol.RandomHolder;
import dev.penstock.transport.architecture.planted.protocol.RandomReader;
import dev.penstock.transport.architecture.planted.protocol.SocketHolder;
import dev.penstock.transport.architecture.planted.protocol.SystemLogger;
import dev.penstock.transport.architecture.planted.protocol.ThreadStarter;
import dev.penstock.transport.architecture.planted.protocol.VolatileHolder;
import dev.penstock.transport.architecture.planted.protocol.Waiter;
import dev.penstock.transport.architecture.planted.wire.MachineUser;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CoreRulesTest {
  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.penstock.transport");

  @ParameterizedTest
  @MethodSource("rulesAndOffenders")
  void shouldHoldInTheProduct(ArchRule rule) {
    rule.check(PRODUCT);
  }

  @ParameterizedTest
  @MethodSource("rulesAndOffenders")
  void shouldCatchItsPlantedOffender(ArchRule rule, Class<?> offender) {
    EvaluationResult result = rule.evaluate(new ClassFileImporter().importClasses(offender));

    assertThat(result.getFailureReport().getDetails())
        .isNotEmpty()
        .allMatch(detail -> detail.contains(offender.getName()));
  }

  static Stream<Arguments> rulesAndOffenders() {
    return Stream.of(
        Arguments.of(CoreRules.NO_CONCURRENCY, LockHolder.class),
        Arguments.of(CoreRules.NO_THREADS, ThreadStarter.class),
        Arguments.of(CoreRules.NO_CLOCK_OBJECTS, ClockHolder.class),
        Arguments.of(CoreRules.NO_SOCKETS, SocketHolder.class),
        Arguments.of(CoreRules.NO_FILES_OR_STREAMS, FileReader.class),
        Arguments.of(CoreRules.NO_RANDOMNESS, RandomHolder.class),
        Arguments.of(CoreRules.NO_RANDOM_VALUES, RandomReader.class),
        Arguments.of(CoreRules.NO_SYSTEM_CLOCK, ClockReader.class),
        Arguments.of(CoreRules.NO_CONSOLE, Printer.class),
        Arguments.of(CoreRules.NO_LOGGING, SystemLogger.class),
        Arguments.of(CoreRules.NO_MONITOR_CALLS, Waiter.class),
        Arguments.of(CoreRules.NO_SYNCHRONIZED_METHODS, MethodLocker.class),
        Arguments.of(CoreRules.NO_SYNCHRONIZED_BLOCKS, BlockLocker.class),
        Arguments.of(CoreRules.NO_VOLATILE_FIELDS, VolatileHolder.class),
        Arguments.of(CoreRules.WIRE_KNOWS_NO_MACHINE, MachineUser.class),
        Arguments.of(CoreRules.API_KNOWS_NO_CODEC_AND_NO_SHELL, ShellUser.class),
        Arguments.of(CoreRules.API_KNOWS_ONLY_THE_JDK, LibraryUser.class));
  }
}
