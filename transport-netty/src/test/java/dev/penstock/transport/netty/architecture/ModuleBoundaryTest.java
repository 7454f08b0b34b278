package dev.penstock.transport.netty.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.penstock.transport.netty.architecture.planted.Offender;
import org.junit.jupiter.api.Test;

class ModuleBoundaryTest {
  private static final ArchRule NO_CODEC =
      noClasses()
          .that()
          .resideInAPackage("dev.penstock.transport.netty..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.penstock.codec..", "dev.penstock.spark..", "org.agrona..");

  @Test
  void shouldKnowNothingOfAnyCodec() {
    NO_CODEC.check(
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.penstock.transport.netty"));
  }

  @Test
  void shouldCatchAPlantedOffender() {
    EvaluationResult result =
        NO_CODEC.evaluate(new ClassFileImporter().importClasses(Offender.class));

    assertThat(result.getFailureReport().getDetails())
        .isNotEmpty()
        .allMatch(detail -> detail.contains(Offender.class.getName()));
  }
}
