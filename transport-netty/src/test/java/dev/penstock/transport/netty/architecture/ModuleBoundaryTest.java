package dev.penstock.transport.netty.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.penstock.transport.netty.architecture.planted.ObjectReader;
import dev.penstock.transport.netty.architecture.planted.Offender;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class ModuleBoundaryTest {
  private static final ArchRule NO_CODEC =
      noClasses()
          .that()
          .resideInAPackage("dev.penstock.transport.netty..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.penstock.codec..", "dev.penstock.spark..", "org.agrona..");

  /** What comes from a peer is numbers and text, never an object. */
  private static final ArchRule NO_OBJECTS =
      noClasses()
          .should()
          .dependOnClassesThat()
          .areAssignableTo(ObjectInputStream.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ObjectOutputStream.class);

  @Test
  void shouldKnowNothingOfAnyCodec() {
    NO_CODEC.check(product("dev.penstock.transport.netty"));
  }

  @Test
  void shouldNeverReadOrWriteObjects() {
    NO_OBJECTS.check(product("dev.penstock"));
    EvaluationResult planted =
        NO_OBJECTS.evaluate(new ClassFileImporter().importClasses(ObjectReader.class));
    assertThat(planted.hasViolation()).isTrue();
  }

  private static JavaClasses product(String packageName) {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(packageName);
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
