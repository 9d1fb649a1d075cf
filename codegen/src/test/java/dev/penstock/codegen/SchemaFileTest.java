package dev.penstock.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaFileTest {
    private static final String FILM =
            """
            penstock-schema 1
            enum mpaa_rating (G, PG, "PG-13")
            table language
              language_id int not null
              name text "varchar(20)" not null
              key language_id
            table film
              film_id int not null
              title text not null
              length int
              rating text "mpaa_rating" -> enum mpaa_rating
              language_id int not null
              original_language_id int
              key film_id
              reference language_id to language language_id
              reference original_language_id to language language_id
            """;

    private static SchemaFile parse(String text) {
        return SchemaFile.parse(text, "film.schema");
    }

    @Test
    void text_parsedFile_givesEveryName() {
        assertThat(parse(FILM).text())
                .contains(
                        """
                        enum mpaa_rating as MpaaRating (G, PG, "PG-13" as PG13)

                        table language as Language
                          language_id int  "int"         not null as languageId
                          name        text "varchar(20)" not null as name
                          key language_id

                        table film as Film
                          film_id              int  "int"         not null as filmId
                          title                text "text"        not null as title
                          length               int  "int"                  as length
                          rating               text "mpaa_rating"          as rating             -> enum mpaa_rating
                          language_id          int  "int"         not null as languageId
                          original_language_id int  "int"                  as originalLanguageId
                          key film_id
                          reference language_id to language language_id as LANGUAGE others FILMS
                          reference original_language_id to language language_id as ORIGINAL_LANGUAGE others FILMS_BY_ORIGINAL_LANGUAGE
                        """);
    }

    @Test
    void text_readAgain_isTheSame() {
        String text = parse(FILM).text();
        assertThat(parse(text).text()).isEqualTo(text);
    }

    @Test
    void choices_freshSchema_areKept() {
        SchemaFile edited =
                parse(
                        """
                        penstock-schema 1
                        enum status as Status (NEW, "in work" as WORKING)
                        exclude table language as Tongue
                          language_id int not null as id
                        table film as Movie implements Describable
                          film_id int not null as id
                          exclude title text not null as title
                          length int as minutes
                          rating text "mpaa_rating" -> enum status
                          language_id int not null
                          reference length to language language_id as LONGEST others LONGS
                        """);
        assertThat(parse(FILM).withChoicesOf(edited).text())
                .contains(
                        "exclude table language as Tongue",
                        "table film as Movie implements Describable\n",
                        "film_id              int  \"int\"         not null as id\n",
                        "exclude title ",
                        " as minutes\n",
                        "-> enum status\n",
                        "enum status as Status (NEW, \"in work\" as WORKING)\n",
                        "  key film_id\n",
                        "reference language_id to language language_id as LANGUAGE others FILMS\n",
                        "reference length to language language_id as LONGEST others LONGS\n");
    }

    @Test
    void choices_newColumn_renamesNothing() {
        String before = "penstock-schema 1\ntable t\n  \"a b\" int\n";
        String after = "penstock-schema 1\ntable t\n  a_b int\n  \"a b\" int\n";
        String refreshed = parse(after).withChoicesOf(parse(before)).text();
        assertThat(refreshed).contains("a_b   int \"int\" as aB2\n", "\"a b\" int \"int\" as aB\n");
    }

    @Test
    void choices_newTableCalledAsAnEnumOfAColumn_getsAnotherName() {
        String film = "table film\n  rating text \"enum\" -> enum (G, PG)\n";
        SchemaFile before = parse("penstock-schema 1\n" + film);
        assertThat(before.text()).contains("-> enum as Rating (G, PG)");
        SchemaFile after = parse("penstock-schema 1\n" + film + "table rating\n  id int\n");
        assertThat(after.withChoicesOf(before).text())
                .contains("-> enum as Rating (G, PG)", "table rating as RatingRow\n");
    }

    @Test
    void names_ofAnyCharacters_surviveTheFile() {
        String text =
                "penstock-schema 1\ntable \"a \\\"q\\\" \\\\ \\n \\u0007 #(,)\"\n  key int\n  \"key\" int not null\n  顧客 int\n"
                        .replace("  key int\n", "");
        String written = parse(text).text();
        assertThat(written)
                .contains("table \"a \\\"q\\\" \\\\ \\n \\u0007 #(,)\" as ", "\"key\" int");
        assertThat(parse(written).text()).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | `film.schema is empty: a schema file begins with \"penstock-schema 1\"`",
                "`table film` | `film.schema, line 1: this is no schema file: it would begin with \"penstock-schema 1\"`",
                "`penstock-schema 9` | `film.schema, line 1: format 9 is not known: this Penstock reads format 1; use a newer one`",
                "`penstock-schema 1;table film;  film_id number` | `film.schema, line 3: column film.film_id has the unknown type \"number\": choose one of boolean, int, long, decimal, float, double, text, date, time, timestamp, timestamp_utc, binary, uuid, json, other`",
                "`penstock-schema 1;table film;  film_id int -> LocalDate` | `film.schema, line 3: column film.film_id, of type int, can't be mapped to \"LocalDate\": choose one of boolean, int, long`",
                "`penstock-schema 1;table film;  film_id int as class` | `film.schema, line 3: \"class\" can't be a name in Java: choose another`",
                "`penstock-schema 1;table film;  a int as x;  b int as x` | `table film: two columns are called x: give one of them another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film as X;  a int;table f as x;  a int` | `table f is called x, as another table or enum is, or one but for case: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film;  a int;  a int` | `film.schema, line 4: table film has two columns a`",
                "`penstock-schema 1;table film;  a int;  key b` | `film.schema, line 4: table film has no column \"b\" above this line: correct the name`",
                "`penstock-schema 1;table film;  a int;  reference a to x b` | `film.schema, line 4: there is no table \"x\" to refer to: correct the name, or remove the reference`",
                "`penstock-schema 1;table film;  a int;  reference a to film b` | `film.schema, line 4: table film has no column \"b\" to refer to: correct the name`",
                "`penstock-schema 1;table film;  a text -> enum Rating` | `film.schema, line 3: column film.a is mapped to the enum Rating, which is not declared above: add a line like \"enum Rating as Name (A, B)\" before the tables`",
                "`penstock-schema 1;table film;  \"a int` | `film.schema, line 3: a quote is not closed: end the text with another \"`",
                "`penstock-schema 1;table film;  a int nullable` | `film.schema, line 3: nothing was expected here any more, found \"nullable\"`",
                "`penstock-schema 1;table film` | `film.schema: table film has no columns: add some, or remove it`",
                "`penstock-schema 1;table film as String;  a int` | `table film is called String, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film;  a int as wait` | `column film.a is called wait, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film as Film;  a text -> enum as film (A)` | `the enum of column film.a is called film, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;  a int` | `film.schema, line 2: expected \"table\", \"view\" or \"enum\" at the beginning of a line`"
            })
    void parse_badFile_saysWhereAndWhatToDo(String text, String message) {
        assertThatThrownBy(() -> parse(text.replace(";", "\n")))
                .isInstanceOf(CodegenException.class)
                .hasMessage(message);
    }

    @Test
    void read_missingOrBinaryFile_saysSo(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("x.schema");
        assertThatThrownBy(() -> SchemaFile.read(file))
                .isInstanceOf(CodegenException.class)
                .hasMessage(
                        "can't read the schema file "
                                + file
                                + " (NoSuchFileException): check the path and its permissions");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(() -> SchemaFile.read(file))
                .hasMessage(file + " is not UTF-8 text: save it as such");
    }
}
