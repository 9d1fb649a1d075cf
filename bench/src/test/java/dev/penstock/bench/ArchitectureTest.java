package dev.penstock.bench;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures;
import java.io.File;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The direction of the modules, and the names that there are not, as docs/architecture.md has them. */
class ArchitectureTest {
    private static final int MOST_FILES = 25;

    private static JavaClasses classes;

    @BeforeAll
    static void importClasses() {
        classes =
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .withImportOption(location -> !location.contains("databases"))
                        // Generated from the templates; they and the page refer to each other.
                        .withImportOption(location -> !location.contains("/presidents/templates/"))
                        .withImportOption(location -> !location.contains("/daytrader/templates/"))
                        .withImportOption(location -> !location.contains("/jmh_generated/"))
                        .importPackages("dev.penstock");
    }

    @Test
    void modules_anyDependency_goesInTheDirectionOfTheDesign() {
        Architectures.layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.penstock..")
                .layer("query")
                .definedBy("dev.penstock.query..")
                .layer("codegen")
                .definedBy("dev.penstock.codegen..")
                .layer("snapshot")
                .definedBy("dev.penstock.snapshot..")
                .layer("follow")
                .definedBy("dev.penstock.follow..")
                .layer("format")
                .definedBy("dev.penstock.format..")
                .layer("http")
                .definedBy(
                        resideInAPackage("dev.penstock.http..")
                                .and(not(resideInAPackage("dev.penstock.http.servlet.."))))
                .layer("http-servlet")
                .definedBy("dev.penstock.http.servlet..")
                .layer("transfer")
                .definedBy("dev.penstock.transfer..")
                .layer("service")
                .definedBy("dev.penstock.service..")
                .layer("documents")
                .definedBy("dev.penstock.documents..")
                .layer("gateway")
                .definedBy("dev.penstock.gateway..")
                .layer("presidents")
                .definedBy("dev.penstock.presidents..")
                .layer("films")
                .definedBy("dev.penstock.films..")
                .layer("daytrader")
                .definedBy("dev.penstock.daytrader..")
                .layer("server")
                .definedBy("dev.penstock.server..")
                .layer("demo")
                .definedBy("dev.penstock.demo..")
                .layer("bench")
                .definedBy("dev.penstock.bench..")
                .whereLayer("query")
                .mayNotAccessAnyLayer()
                .whereLayer("codegen")
                .mayOnlyAccessLayers("query")
                .whereLayer("snapshot")
                .mayOnlyAccessLayers("query")
                .whereLayer("follow")
                .mayOnlyAccessLayers("snapshot", "query")
                .whereLayer("format")
                .mayOnlyAccessLayers("query")
                .whereLayer("http")
                .mayNotAccessAnyLayer()
                .whereLayer("http-servlet")
                .mayOnlyAccessLayers("http")
                .whereLayer("transfer")
                .mayOnlyAccessLayers("http")
                .whereLayer("service")
                .mayNotAccessAnyLayer()
                .whereLayer("documents")
                .mayNotAccessAnyLayer()
                .whereLayer("gateway")
                .mayOnlyAccessLayers("http", "format", "query")
                .whereLayer("presidents")
                .mayOnlyAccessLayers("http", "format", "query")
                .whereLayer("films")
                .mayOnlyAccessLayers("http", "query")
                .whereLayer("daytrader")
                .mayOnlyAccessLayers("http", "service")
                .whereLayer("server")
                .mayOnlyAccessLayers(
                        "http",
                        "transfer",
                        "service",
                        "documents",
                        "gateway",
                        "format",
                        "follow",
                        "snapshot",
                        "codegen",
                        "query")
                .whereLayer("demo")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("bench")
                .mayNotBeAccessedByAnyLayer()
                .ensureAllClassesAreContainedInArchitecture()
                .check(classes);
    }

    @Test
    void query_anyClass_usesTheJdkAlone() {
        classes()
                .that()
                .resideInAPackage("dev.penstock.query..")
                .should()
                .onlyDependOnClassesThat()
                // The one driver whose own interface is used, where it is there: its COPY.
                .resideInAnyPackage(
                        "dev.penstock.query..",
                        "java..",
                        "javax.net..",
                        "javax.sql..",
                        "com.sun.management..",
                        "org.jspecify..",
                        "org.postgresql..")
                .check(classes);
    }

    @Test
    void netty_otherModulesThanHttp_doNotSeeIt() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.penstock.http..", "dev.penstock.bench..")
                .or()
                .resideInAPackage("dev.penstock.http.servlet..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .check(classes);
    }

    @Test
    void packages_ofAllModules_haveNoCycles() {
        slices().matching("dev.penstock.(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void packages_ofAllModules_haveAtMostTwentyFiveFiles() {
        Map<String, Set<String>> files = new TreeMap<>();
        for (JavaClass each : classes) {
            each.getSource()
                    .flatMap(Source::getFileName)
                    .filter(file -> !file.endsWith("-info.java"))
                    .ifPresent(file ->
                            files.computeIfAbsent(each.getPackageName(), _ -> new TreeSet<>())
                                    .add(file));
        }
        assertThat(files).containsKeys("dev.penstock.query", "dev.penstock.bench");
        assertThat(files)
                .allSatisfy((name, names) ->
                        assertThat(names).as(name).hasSizeLessThanOrEqualTo(MOST_FILES));
    }

    @Test
    void names_ofClassesAndPackages_sayWhatTheyAre() {
        noClasses()
                .that(alwaysTrue())
                .should()
                .haveNameMatching(
                        "dev\\.penstock\\.(.*\\.)?(util|utils|common|impl|core|api|manager|helper)s?\\..*")
                .orShould()
                .haveNameMatching(".*(Util|Utils|Common|Impl|Manager|Helper)s?(\\$.*)?")
                .check(classes);
    }

    @Test
    void exportedClasses_exceptExceptions_areFinal() {
        Set<String> exported = exportedPackages();
        assertThat(exported).contains("dev.penstock.query", "dev.penstock.http");
        classes()
                .that(
                        are(
                                "in an exported package",
                                each -> exported.contains(each.getPackageName())))
                .and()
                .areTopLevelClasses()
                .and()
                .arePublic()
                .and()
                .areNotInterfaces()
                .and()
                .areNotEnums()
                .and()
                .areNotAssignableTo(Throwable.class)
                .and()
                .haveSimpleNameNotEndingWith("package-info")
                .should()
                .haveModifier(JavaModifier.FINAL)
                .orShould()
                .haveModifier(JavaModifier.ABSTRACT)
                .check(classes);
    }

    private static DescribedPredicate<JavaClass> are(String what, Predicate<JavaClass> condition) {
        return DescribedPredicate.describe(what, condition);
    }

    /** Returns the packages that the modules on the class path export to everyone. */
    private static Set<String> exportedPackages() {
        Path[] modules =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of)
                        .filter(entry ->
                                Files.exists(entry.resolve("module-info.class"))
                                        || entry.getFileName().toString().startsWith("penstock-"))
                        .filter(entry -> !entry.toString().endsWith("-tests.jar"))
                        .toArray(Path[]::new);
        return ModuleFinder.of(modules).findAll().stream()
                .map(ModuleReference::descriptor)
                .filter(module ->
                        module.name().startsWith("dev.penstock.") && !module.isAutomatic())
                .flatMap(module -> module.exports().stream())
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    }
}
