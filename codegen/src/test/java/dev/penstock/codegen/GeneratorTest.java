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

    private static SortedMap<String, String> generate(String schema) {
        SchemaFile file = SchemaFile.parse("penstock-schema 1\n" + schema, "test");
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
                        enum status as Status (NEW, "in work" as WORKING)
                        table t
                          a int not null -> boolean
                          b int -> boolean
                          c int -> long
                          d decimal -> BigInteger
                          e text not null -> char
                          f text -> char
                          g text not null -> enum status
                          h text -> enum as Grade (A, "B+")
                          i other -> enum status
                          j float not null -> double
                          k binary not null
                          l binary
                          m uuid
                          n timestamp_utc not null
                        """);
        assertThat(files).containsOnlyKeys("T.java", "Status.java");
        assertThat(load(files, "T$Grade").isEnum()).isTrue();
        assertThat(load(files, "T").isRecord()).isTrue();
    }

    @Test
    void files_interface_isImplementedByTheUsersCode() {
        SortedMap<String, String> files =
                generate("table film implements Describable\n  title text not null\n");
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
                            .mapToObj(i -> "  c" + i + (i % 2 == 0 ? " int\n" : " text not null\n"))
                            .collect(Collectors.joining("", "table wide\n", "  key c1\n"));
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
                        .mapToObj(i -> "  a_rather_long_name_of_a_column_" + i)
                        .map(name -> name + " decimal -> BigInteger\n")
                        .collect(Collectors.joining());
        String schema = "table wide\n" + columns;
        assertThat(load(generate(schema), "Wide").isRecord()).isFalse();
        assertThatThrownBy(() -> generate(schema + "  one_more int\n"))
                .isInstanceOf(CodegenException.class)
                .hasMessage(
                        "table wide has 1601 columns; a class can hold 1600: exclude some in the schema file");
    }

    @Test
    void files_longsAndDoubles_countTwice() {
        String schema =
                IntStream.rangeClosed(1, 128)
                        .mapToObj(i -> "  c" + i + " long not null\n")
                        .collect(Collectors.joining("", "table wide\n", ""));
        assertThat(load(generate(schema), "Wide").isRecord()).isFalse();
        String boxed = schema.replace(" not null", "");
        assertThat(load(generate(boxed), "Wide").isRecord()).isTrue();
    }

    @Test
    void files_excludedTarget_haveNoForeignKeyToIt() {
        String schema =
                """
                table language
                  language_id int not null
                  name text
                table film
                  film_id int
                  language_id int
                  reference language_id to language language_id
                """;
        assertThat(generate(schema).get("Film.java"))
                .contains("ForeignKey<Film, Language> LANGUAGE");
        assertThat(generate(schema.replace("table language", "exclude table language")))
                .doesNotContainKey("Language.java")
                .extractingByKey("Film.java")
                .asString()
                .doesNotContain("ForeignKey");
        assertThat(
                        generate(
                                schema.replace(
                                        "  language_id int not null", "  exclude language_id int")))
                .extractingByKey("Film.java")
                .asString()
                .doesNotContain("ForeignKey");
    }

    @Test
    void files_everyColumnExcluded_isRefused() {
        assertThatThrownBy(() -> generate("table film\n  exclude film_id int\n"))
                .isInstanceOf(CodegenException.class)
                .hasMessage("table film has no columns left: exclude the table, or fewer columns");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.", "a..b", "a.class", "a b", "a.1b"})
    void generator_badPackage_isRefused(String packageName) {
        SchemaFile schema = SchemaFile.parse("penstock-schema 1\n", "test");
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
                    penstock-schema 1
                    table NAME
                      NAME int not null
                      other text -> enum (NAME)
                      u uuid
                      b binary not null
                      key NAME
                    table other
                      NAME text not null -> enum (NAME, b)
                      id int
                      i timestamp_utc
                      reference id to NAME NAME
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
