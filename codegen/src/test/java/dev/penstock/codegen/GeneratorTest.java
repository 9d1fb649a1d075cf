package dev.penstock.codegen;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.codegen.problem.CodegenException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratorTest {
    private static final String PACKAGE = "com.example";

    private static final String AWKWARD =
            "string object record entity list cursor field uuid instant main con integer nullable int_field override class"
                    + " enum _ € a table text row hash java equals read 顧客 big_decimal byte[] T R E V requireNonNull 1s";

    /** The beginning of a table, to which columns are added. */
    private static final String WIDE = "tables:\n  wide:\n    columns:\n";

    private static String column(String name, String type) {
        return "      " + name + ": {type: " + type + "}\n";
    }

    private static SortedMap<String, String> generate(String schema) {
        SchemaFile file = SchemaFile.parse("penstock-schema: 2\n" + schema, "test");
        return new Generator(file, PACKAGE).files();
    }

    private static Class<?> load(Map<String, String> files, String name) {
        return requireNonNull(Compiled.of(files, PACKAGE).load().get(PACKAGE + "." + name), name);
    }

    @Test
    void files_everyMapping_compiles() {
        SortedMap<String, String> files =
                generate(
                        """
                        enums:
                          status: {as: Status, labels: [NEW, in work: WORKING]}
                        tables:
                          t:
                            columns:
                              a: {type: int, nullable: false, java: boolean}
                              b: {type: int, java: boolean}
                              c: {type: int, java: long}
                              d: {type: decimal, java: BigInteger}
                              e: {type: text, nullable: false, java: char}
                              f: {type: text, java: char}
                              g: {type: text, nullable: false, enum: status}
                              h: {type: text, enum: {as: Grade, labels: [A, B+]}}
                              i: {type: other, enum: status}
                              j: {type: float, nullable: false, java: float}
                              k: {type: binary, nullable: false}
                              l: {type: binary}
                              m: {type: uuid}
                              n: {type: timestamp_utc, nullable: false}
                        """);
        assertThat(files).containsOnlyKeys("T.java", "Status.java");
        assertThat(load(files, "T$Grade").isEnum()).isTrue();
        assertThat(load(files, "T").isRecord()).isTrue();
    }

    @Test
    void files_interface_isImplementedByTheUsersCode() {
        SortedMap<String, String> files =
                generate(
                        """
                        tables:
                          film:
                            implements: Describable
                            columns:
                              title: {type: text, nullable: false}
                        """);
        files = new java.util.TreeMap<>(files);
        files.put(
                "Describable.java",
                """
                package com.example;

                interface Describable {
                    String title();

                    default String described() {
                        return "the film " + title();
                    }
                }
                """);
        assertThat(load(files, "Film").getInterfaces())
                .extracting(Class::getSimpleName)
                .containsExactly("Describable");
    }

    @Test
    void files_columnsBeyondARecord_areAClassWithTheSameMethods() throws Exception {
        for (int columns : new int[] {254, 255}) {
            String schema =
                    IntStream.rangeClosed(1, columns)
                            .mapToObj(i ->
                                    column("c" + i, i % 2 == 0 ? "int" : "text, nullable: false"))
                            .collect(Collectors.joining("", WIDE, "    key: [c1]\n"));
            Class<?> wide = load(generate(schema), "Wide");
            assertThat(wide.isRecord()).isEqualTo(columns == 254);
            assertThat(wide.getMethod("c" + columns).getReturnType())
                    .isEqualTo(columns % 2 == 0 ? Integer.class : String.class);
        }
    }

    /** Of all types, this takes most code to read. */
    @Test
    void files_mostColumnsThatAClassCanHold_compile() {
        String columns =
                IntStream.rangeClosed(1, 1600)
                        .mapToObj(i -> "a_rather_long_name_of_a_column_" + i)
                        .map(name -> column(name, "decimal, java: BigInteger"))
                        .collect(Collectors.joining());
        String schema = WIDE + columns;
        assertThat(load(generate(schema), "Wide").isRecord()).isFalse();
        assertThatThrownBy(() -> generate(schema + column("one_more", "int")))
                .isInstanceOf(CodegenException.class)
                .hasMessage(
                        "table wide has 1601 columns; a class can hold 1600: exclude some in the schema file");
    }

    @Test
    void files_longsAndDoubles_countTwice() {
        String schema =
                IntStream.rangeClosed(1, 128)
                        .mapToObj(i -> column("c" + i, "long, nullable: false"))
                        .collect(Collectors.joining("", WIDE, ""));
        assertThat(load(generate(schema), "Wide").isRecord()).isFalse();
        String boxed = schema.replace(", nullable: false", "");
        assertThat(load(generate(boxed), "Wide").isRecord()).isTrue();
    }

    @Test
    void files_excludedTarget_haveNoForeignKeyToIt() {
        String schema =
                """
                tables:
                  language:
                    columns:
                      language_id: {type: int, nullable: false}
                      name: {type: text}
                  film:
                    columns:
                      film_id: {type: int}
                      language_id: {type: int}
                    references:
                      - {columns: language_id, table: language, to: language_id}
                """;
        assertThat(generate(schema).get("Film.java"))
                .contains("ForeignKey<Film, Language> LANGUAGE");
        assertThat(generate(schema.replace("  language:\n", "  language:\n    exclude: true\n")))
                .doesNotContainKey("Language.java")
                .extractingByKey("Film.java")
                .asString()
                .doesNotContain("ForeignKey");
        assertThat(
                        generate(
                                schema.replace(
                                        "{type: int, nullable: false}",
                                        "{type: int, exclude: true}")))
                .extractingByKey("Film.java")
                .asString()
                .doesNotContain("ForeignKey");
    }

    @Test
    void files_everyColumnExcluded_isRefused() {
        assertThatThrownBy(() -> generate(WIDE + column("a", "int, exclude: true")))
                .isInstanceOf(CodegenException.class)
                .hasMessage("table wide has no columns left: exclude the table, or fewer columns");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.", "a..b", "a.class", "a b", "a.1b"})
    void generator_badPackage_isRefused(String packageName) {
        SchemaFile schema = SchemaFile.parse("penstock-schema: 2\n", "test");
        assertThatThrownBy(() -> new Generator(schema, packageName))
                .isInstanceOf(CodegenException.class)
                .hasMessage(
                        "\""
                                + packageName
                                + "\" can't be the name of a package: write it like com.example.films");
    }

    @Test
    void files_awkwardNames_compile() {
        Map<String, String> all = new HashMap<>();
        for (String name : AWKWARD.split(" ", -1)) {
            String text =
                    """
                    penstock-schema: 2
                    tables:
                      NAME:
                        columns:
                          NAME: {type: int, nullable: false}
                          other: {type: text, enum: [NAME]}
                          u: {type: uuid}
                          b: {type: binary, nullable: false}
                        key: [NAME]
                      other:
                        columns:
                          NAME: {type: text, nullable: false, enum: [NAME, b]}
                          id: {type: int}
                          i: {type: timestamp_utc}
                        references:
                          - {columns: id, table: NAME, to: NAME}
                    """
                            .replace("NAME", "\"" + name + "\"");
            String packageName = "p" + all.size();
            SchemaFile schema = SchemaFile.parse(text, "test");
            new Generator(schema, packageName)
                    .files()
                    .forEach((file, source) -> all.put(packageName + "/" + file, source));
            Project.Connection connection = new Project.Connection("jdbc:h2:mem:x", name, name);
            all.put(
                    packageName + "/Main.java",
                    new MainSource(schema.schema(), connection).text(packageName));
        }
        assertThat(Compiled.of(all).load()).hasSizeGreaterThan(80);
    }
}
