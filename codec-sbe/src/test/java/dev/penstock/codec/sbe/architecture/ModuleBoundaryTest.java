package dev.penstock.codec.sbe.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.penstock.codec.sbe.architecture.planted.Offender;
import org.junit.jupiter.api.Test;

class ModuleBoundaryTest {
  private static final ArchRule NO_SHELL =
      noClasses()
          .that()
          .resideInAPackage("dev.penstock.codec.sbe..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.penstock.transport.netty..", "dev.penstock.spark..", "io.netty..");

  @Test
  void shouldKnowNothingOfTheShell() {
    NO_SHELL.check(
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.penstock.codec.sbe"));
  }

  @Test
  void shouldCatchAPlantedOffender() {
    EvaluationResult result =
        NO_SHELL.evaluate(new ClassFileImporter().importClasses(Offender.class));

    assertThat(result.getFailureReport().getDetails())
        .isNotEmpty()
        .allMatch(detail -> detail.contains(Offender.class.getName()));
  }
}
