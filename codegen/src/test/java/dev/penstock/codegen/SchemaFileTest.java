package dev.penstock.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.codegen.problem.CodegenException;
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
    void choices_comments_stayWhereTheyWere() {
        String text =
                """
                penstock-schema 1
                # about the file
                # about the enum
                enum mpaa_rating as MpaaRating (G, PG, "PG-13" as PG13)  # behind the enum

                table language as Language
                # about film, 1

                # about film, 2
                table film as Film  # behind film
                  # about the title
                  title text "text" not null as title  # behind the title
                  # of what is gone
                  gone text "text" as gone
                  # about the key
                  key title
                  # about the reference
                  reference language_id to language language_id as LANGUAGE others FILMS  # behind it
                # at the end
                """
                        .replace("table language as Language\n", "")
                        .replace("  key title\n", "  film_id int as id\n  key film_id\n")
                        .replace("  # about the ref", "  language_id int\n  # about the ref")
                        .replace(
                                "# at the end\n",
                                "table language\n  language_id int\n# at the end\n");
        String refreshed = parse(FILM).withChoicesOf(parse(text)).text();
        assertThat(refreshed)
                .startsWith("penstock-schema 1\n# What code")
                .contains(
                        "\n# about the file\n# about the enum\nenum mpaa_rating as MpaaRating (G, PG, \"PG-13\" as PG13)  # behind the enum\n",
                        "\n\n# about film, 1\n# about film, 2\ntable film as Film  # behind film\n",
                        "\n  # about the title\n  title  ",
                        " as title  # behind the title\n",
                        "\n  # about the reference\n  reference language_id to",
                        " others FILMS  # behind it\n")
                .endsWith("\n# at the end\n")
                .doesNotContain("gone");
        assertThat(parse(refreshed).text()).isEqualTo(refreshed);
        assertThat(parse(FILM).withChoicesOf(parse(refreshed)).text()).isEqualTo(refreshed);
    }

    @Test
    void choices_commentsAtTheHead_stay() {
        String text = FILM.replace("schema 1\n", "schema 1  # second\n");
        String head = "# first\n# second\npenstock-schema 1\n# What code";
        SchemaFile read = parse("# first\n" + text);
        assertThat(read.text()).startsWith(head);
        assertThat(parse(FILM).withChoicesOf(parse(read.text())).text()).startsWith(head);
    }

    @Test
    void choices_ownReferenceToWhatIsGone_goesWithIt() {
        String own = "  reference length to other id as OTHER others FILMS\n";
        String other = "table other\n  id int\n";
        SchemaFile before = parse(FILM + own + other);
        assertThat(parse(FILM + other).withChoicesOf(before).text()).contains(own);
        assertThat(parse(FILM).withChoicesOf(before).text()).isEqualTo(parse(FILM).text());
        String renamed = other.replace("id", "other_id");
        assertThat(parse(FILM + renamed).withChoicesOf(before).text()).doesNotContain("OTHER");
    }

    @Test
    void text_labelCalledAsItself_isReadAgainAsSuch() {
        String text =
                parse("penstock-schema 1\ntable t\n  a text -> enum (code as code, B)\n").text();
        assertThat(text).contains("-> enum as AValue (code as code, B)");
        assertThat(parse(text).text()).isEqualTo(text);
    }

    @Test
    void references_ofColumnsWithoutKeyWords_areCalledByTheirColumns() {
        String game = "table game\n  home_team int\n  away_team int\n";
        String team = "table team\n  id int not null\n";
        String keys = "  reference home_team to team id\n  reference away_team to team id\n";
        assertThat(parse("penstock-schema 1\n" + game + keys + team).text())
                .contains(
                        "home_team to team id as HOME_TEAM_KEY others GAMES_BY_HOME_TEAM\n",
                        "away_team to team id as AWAY_TEAM_KEY others GAMES_BY_AWAY_TEAM\n");
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
                "penstock-schema 1\ntable \"a \\\"q\\\" \\\\ \\n \\u0007 \\ud800 #(,)\"\n  key int\n  \"key\" int not null\n  顧客 int\n"
                        .replace("  key int\n", "");
        String written = parse(text).text();
        assertThat(written)
                .contains("table \"a \\\"q\\\" \\\\ \\n \\u0007 \\ud800 #(,)\" as ", "\"key\" int");
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
                "`penstock-schema 1;table film;  a int as x;  b int as x` | `film.schema: table film: two columns are called x: give one of them another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film as X;  a int;table f as x;  a int` | `film.schema: table f is called x, as another table or enum is, or one but for case: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film;  a int;  a int` | `film.schema, line 4: table film has two columns a`",
                "`penstock-schema 1;table film;  a int;  key b` | `film.schema, line 4: table film has no column \"b\" above this line: correct the name`",
                "`penstock-schema 1;table film;  a int;  reference a to x b` | `film.schema, line 4: there is no table \"x\" to refer to: correct the name, or remove the reference`",
                "`penstock-schema 1;table film;  a int;  reference a to film b` | `film.schema, line 4: table film has no column \"b\" to refer to: correct the name`",
                "`penstock-schema 1;table film;  a text -> enum Rating` | `film.schema, line 3: column film.a is mapped to the enum Rating, which is not declared above: add a line like \"enum Rating as Name (A, B)\" before the tables`",
                "`penstock-schema 1;table film;  \"a int` | `film.schema, line 3: a quote is not closed: end the text with another \"`",
                "`penstock-schema 1;table film;  a int nullable` | `film.schema, line 3: expected the end of the line, found \"nullable\": remove it`",
                "`penstock-schema 1;table film` | `film.schema: table film has no columns: add some, or remove it`",
                "`penstock-schema 1;table film as String;  a int` | `film.schema: table film is called String, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film;  a int as wait` | `film.schema: column film.a is called wait, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film as Film;  a text -> enum as film (A)` | `film.schema: the enum of column film.a is called film, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film;  id: int` | `film.schema, line 3: expected the name of a column, found \"id:\": a name that is a word of this format, or has other characters than letters, digits and _, needs quotes`",
                "`penstock-schema 1;table film;  a int;  key a, a` | `film.schema, line 4: the key of table film has a column twice`",
                "`penstock-schema 1;table film;  a int;  reference a to film a;  reference a to film a` | `film.schema, line 5: the same reference is there twice: remove one`",
                "`penstock-schema 1;table film;  a int;  b text;  reference a to film b` | `film.schema, line 5: table film can't refer by film.a (int) to film.b (String): correct the names, or map the columns alike`",
                "`penstock-schema 1;table film;  a int;  reference a to film a as a` | `film.schema: table film: a foreign key is called a, as a column is: give it another name in the schema file`",
                "`penstock-schema 1;table film;  a int;  reference a to film a as X others X` | `film.schema: table film: a foreign key is called X, as another is: give it another name in the schema file`",
                "`penstock-schema 1;table film;  a int as TABLE` | `film.schema: column film.a is called TABLE, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film;  a int as List` | `film.schema: column film.a is called List, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;table film as sealed;  a int` | `film.schema: table film is called sealed, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`penstock-schema 1;enum e (A as X, B as X)` | `film.schema: two labels of the enum e are called X: give one of them another name after \"as\" in the schema file`",
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
