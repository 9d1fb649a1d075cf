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
            penstock-schema: 2
            enums:
              mpaa_rating: [G, PG, PG-13]
            tables:
              language:
                columns:
                  language_id: {type: int, nullable: false}
                  name: {type: text, sql: varchar(20), nullable: false}
                key: language_id
              film:
                columns:
                  film_id: {type: int, nullable: false}
                  title: {type: text, nullable: false}
                  length: {type: int}
                  rating: {type: text, sql: mpaa_rating, enum: mpaa_rating}
                  language_id: {type: int, nullable: false}
                  original_language_id: {type: int}
                key: [film_id]
                references:
                  - {columns: language_id, table: language, to: language_id}
                  - {columns: [original_language_id], table: language, to: [language_id]}
            """;

    private static SchemaFile parse(String text) {
        return SchemaFile.parse(text, "film.schema");
    }

    /** A file of tables, each given from its name on. */
    private static SchemaFile tables(String tables) {
        return parse("penstock-schema: 2\ntables:\n" + tables.indent(2));
    }

    @Test
    void text_parsedFile_givesEveryName() {
        assertThat(parse(FILM).text())
                .contains(
                        """
                        enums:
                          mpaa_rating: {as: MpaaRating, labels: [G, PG, PG-13: PG13]}

                        tables:
                          language:
                            as: Language
                            columns:
                              language_id: {type: int,                    nullable: false, as: languageId}
                              name:        {type: text, sql: varchar(20), nullable: false, as: name}
                            key: [language_id]

                          film:
                            as: Film
                            columns:
                              film_id:              {type: int,                    nullable: false, as: filmId}
                              title:                {type: text,                   nullable: false, as: title}
                              length:               {type: int,                                     as: length}
                              rating:               {type: text, sql: mpaa_rating,                  as: rating, RATING}
                              language_id:          {type: int,                    nullable: false, as: languageId}
                              original_language_id: {type: int,                                     as: originalLanguageId}
                            key: [film_id]
                            references:
                              - {columns: [language_id], table: language, to: [language_id], as: LANGUAGE, others: FILMS}
                              - {columns: [original_language_id], table: language, to: [language_id], \
                        as: ORIGINAL_LANGUAGE, others: FILMS_BY_ORIGINAL_LANGUAGE}
                        """
                                .replace(
                                        "rating, RATING", "rating,             enum: mpaa_rating"));
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
                        penstock-schema: 2
                        enums:
                          status: {as: Status, labels: [NEW, in work: WORKING]}
                        tables:
                          language:
                            exclude: true
                            as: Tongue
                            columns:
                              language_id: {type: int, nullable: false, as: id}
                          film:
                            as: Movie
                            implements: Describable
                            columns:
                              film_id: {type: int, nullable: false, as: id}
                              title: {type: text, nullable: false, as: title, exclude: true}
                              length: {type: int, as: minutes}
                              rating: {type: text, sql: mpaa_rating, enum: status}
                              language_id: {type: int, nullable: false}
                            references:
                              - {columns: length, table: language, to: language_id, as: LONGEST, others: LONGS}
                        """);
        assertThat(parse(FILM).withChoicesOf(edited).text())
                .contains(
                        "  language:\n    exclude: true\n    as: Tongue\n",
                        "  film:\n    as: Movie\n    implements: [Describable]\n",
                        "film_id:              {type: int,                    nullable: false, as: id}\n",
                        "exclude: true}\n",
                        " as: minutes}\n",
                        "enum: status}\n",
                        "  status: {as: Status, labels: [NEW, in work: WORKING]}\n",
                        "    key: [film_id]\n",
                        "- {columns: [language_id], table: language, to: [language_id], as: LANGUAGE, others: FILMS}\n",
                        "- {columns: [length], table: language, to: [language_id], as: LONGEST, others: LONGS}\n");
    }

    @Test
    void choices_comments_stayWhereTheyWere() {
        String text =
                """
                penstock-schema: 2
                # about the enums
                enums:
                  # about the enum
                  mpaa_rating: {as: MpaaRating, labels: [G, PG, PG-13: PG13]}  # behind the enum

                tables:  # behind tables
                  # about film, 1

                  # about film, 2
                  film:  # behind film
                    # about the class
                    as: Film
                    columns:
                      # about the title
                      title: {type: text, # inside the title
                              as: title}  # behind the title
                      # of what is gone
                      gone: {type: text}
                      film_id: {type: int, as: id}
                      language_id: {type: int}
                    # about the key
                    key: [film_id]
                    references:  # behind references
                      # about the reference
                      - {columns: language_id, table: language, to: language_id, as: LANGUAGE, others: FILMS}  # behind it
                  language: {columns: {language_id: {type: int}}}
                # at the end
                """;
        String refreshed = parse(FILM).withChoicesOf(parse(text)).text();
        assertThat(refreshed)
                .startsWith("penstock-schema: 2\n# What code")
                .contains(
                        "\n# about the enums\nenums:\n  # about the enum\n  mpaa_rating: {",
                        "PG-13: PG13]}  # behind the enum\n",
                        "\ntables:  # behind tables\n",
                        "\n  # about film, 1\n  # about film, 2\n  film:  # behind film\n    # about the class\n    as: Film\n",
                        "\n      # about the title\n      # inside the title\n      title: ",
                        " as: title}  # behind the title\n",
                        "\n    # about the key\n    key: [film_id]\n    references:  # behind references\n",
                        "\n      # about the reference\n      - {columns: [language_id], ",
                        " others: FILMS}  # behind it\n")
                .endsWith("\n# at the end\n")
                .doesNotContain("gone");
        assertThat(parse(refreshed).text()).isEqualTo(refreshed);
        assertThat(parse(FILM).withChoicesOf(parse(refreshed)).text()).isEqualTo(refreshed);
    }

    @Test
    void choices_commentsAtTheHead_stay() {
        String text = "# first\n" + FILM.replace("schema: 2\n", "schema: 2  # second\n");
        String head = "# first\npenstock-schema: 2  # second\n# What code";
        SchemaFile read = parse(text);
        assertThat(read.text()).startsWith(head);
        assertThat(parse(FILM).withChoicesOf(parse(read.text())).text()).startsWith(head);
    }

    @Test
    void choices_ownReferenceToWhatIsGone_goesWithIt() {
        String own =
                "      - {columns: [length], table: other, to: [id], as: OTHER, others: FILMS}\n";
        String other = "  other: {columns: {id: {type: int}}}\n";
        SchemaFile before = parse(FILM + own + other);
        assertThat(parse(FILM + other).withChoicesOf(before).text()).contains(own);
        assertThat(parse(FILM).withChoicesOf(before).text()).isEqualTo(parse(FILM).text());
        String renamed = other.replace("id:", "other_id:");
        assertThat(parse(FILM + renamed).withChoicesOf(before).text()).doesNotContain("OTHER");
    }

    @Test
    void text_labelCalledAsItself_isReadAgainAsSuch() {
        String text = tables("t: {columns: {a: {type: text, enum: [code: code, B, \"\"]}}}").text();
        assertThat(text).contains("enum: {as: AValue, labels: [code: code, B, \"\": EMPTY]}");
        assertThat(parse(text).text()).isEqualTo(text);
    }

    @Test
    void references_ofColumnsWithoutKeyWords_areCalledByTheirColumns() {
        assertThat(
                        tables(
                                        """
                                        game:
                                          columns: {home_team: {type: int}, away_team: {type: int}}
                                          references:
                                            - {columns: home_team, table: team, to: id}
                                            - {columns: away_team, table: team, to: id}
                                        team: {columns: {id: {type: int, nullable: false}}}
                                        """)
                                .text())
                .contains(
                        "[home_team], table: team, to: [id], as: HOME_TEAM_KEY, others: GAMES_BY_HOME_TEAM}\n",
                        "[away_team], table: team, to: [id], as: AWAY_TEAM_KEY, others: GAMES_BY_AWAY_TEAM}\n");
    }

    @Test
    void choices_newColumn_renamesNothing() {
        SchemaFile before = tables("t: {columns: {a b: {type: int}}}");
        SchemaFile after = tables("t: {columns: {a_b: {type: int}, a b: {type: int}}}");
        assertThat(after.withChoicesOf(before).text())
                .contains("a_b: {type: int, as: aB2}\n", "a b: {type: int, as: aB}\n");
    }

    @Test
    void choices_newTableCalledAsAnEnumOfAColumn_getsAnotherName() {
        String film = "film: {columns: {rating: {type: text, sql: enum, enum: [G, PG]}}}\n";
        SchemaFile before = tables(film);
        assertThat(before.text()).contains("enum: {as: Rating, labels: [G, PG]}");
        SchemaFile after = tables(film + "rating: {columns: {id: {type: int}}}\n");
        assertThat(after.withChoicesOf(before).text())
                .contains("enum: {as: Rating, labels: [G, PG]}", "  rating:\n    as: RatingRow\n");
    }

    @Test
    void names_ofAnyCharacters_surviveTheFile() {
        String name = "\"a \\\"q\\\" \\\\ \\n \\u0007 \\ud800 #(,): x\"";
        String written =
                tables(
                                name
                                        + ": {columns: {key: {type: int}, no: {type: int}, 顧客: {type: int}, 1e3: {type: int}}}")
                        .text();
        assertThat(written)
                .contains(
                        "  " + name + ":\n",
                        " key:   {",
                        " \"no\":  {",
                        " 顧客:    {",
                        " \"1e3\": {");
        assertThat(parse(written).text()).isEqualTo(written);
    }

    @Test
    void parse_fileOfFormat1_saysHowToReplaceIt() {
        assertThatThrownBy(() -> parse("# mine\n\npenstock-schema 1\ntable film\n  a int\n"))
                .isInstanceOf(CodegenException.class)
                .hasMessage(
                        "film.schema has format 1, the language before YAML: move it away, write a new one of the"
                                + " database by \"penstock schema\", and make your choices in it again");
    }

    @Test
    void parse_manyEmptyLinesAndComments_isQuick() {
        String head = "#\n \n".repeat(20_000);
        assertThat(parse(head + "penstock-schema: 2\n").text()).contains("penstock-schema: 2");
        assertThatThrownBy(() -> parse(head + "penstock-schema 1\n"))
                .isInstanceOf(CodegenException.class)
                .hasMessageContaining("has format 1");
    }

    @Test
    void parse_deeplyNestedFile_saysSo() {
        assertThatThrownBy(() -> parse("penstock-schema: 2\ntables: " + "[".repeat(200_000)))
                .isInstanceOf(CodegenException.class)
                .hasMessage(
                        "film.schema is no schema file: its lists and mappings are nested too deeply");
    }

    /** In each text a slash is a new line; T stands for the beginning of a file with the table film. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | ` is empty: a schema file begins with penstock-schema: 2`",
                "`tables: {}` | `, line 1, column 1: this is no schema file: it would begin with penstock-schema: 2`",
                "`some text` | `, line 1, column 1: this is no schema file: it would begin with penstock-schema: 2`",
                "`penstock-schema: 9` | `, line 1, column 18: format 9 is not known: this Penstock reads format 2; use a newer one`",
                "`penstock-schema: 2/table: {}` | `, line 2, column 1: the file has the unknown member \"table\": choose one of enums, penstock-schema, tables`",
                "`penstock-schema: 2/tables: 3` | `, line 2, column 9: expected a mapping, with a name and a colon for each table, found \"3\"`",
                "`T film_id: {type: number}` | `, line 5, column 23: column film.film_id has the unknown type \"number\": choose one of boolean, int, long, decimal, float, double, text, date, time, timestamp, timestamp_utc, binary, uuid, json, other`",
                "`T film_id: {type: int, java: LocalDate}` | `, line 5, column 34: column film.film_id, of type int, can't be mapped to \"LocalDate\": choose one of boolean, int, long`",
                "`T film_id: {type: float, java: double}` | `, line 5, column 36: column film.film_id, of type float, can't be mapped to \"double\": choose one of float`",
                "`T film_id: {type: int, enum: [A]}` | `, line 5, column 34: column film.film_id, of type int, can't be mapped to \"enum\": choose one of boolean, int, long`",
                "`T film_id: {type: int, as: class}` | `, line 5, column 32: \"class\" can't be a name in Java: choose another`",
                "`T film_id: {type: int, nullable: maybe}` | `, line 5, column 38: nullable is \"maybe\": choose true or false`",
                "`T film_id: {typ: int}` | `, line 5, column 17: column film.film_id has the unknown member \"typ\": choose one of as, comment, enum, exclude, generated, java, nullable, sql, type`",
                "`T film_id: {as: id}` | `, line 5, column 16: column film.film_id has no type: write one like type: int`",
                "`T a: {type: text, java: char, enum: [A]}` | `, line 5, column 23: column film.a has both \"java\" and \"enum\": remove one of them`",
                "`T a: {type: int` | `, line 5, column 20: this is not YAML: expected ',' or '}', but got <stream end>: check the indentation, brackets and quotes`",
                "`T a: {type: int, as: x}/      b: {type: int, as: x}` | `: table film: two columns are called x: give one of them another name after \"as\" in the schema file`",
                "`T a: {type: int}/    as: X/  f: {as: x, columns: {a: {type: int}}}` | `: table f is called x, as another table or enum is, or one but for case: give it another name after \"as\" in the schema file`",
                "`T a: {type: int}/      a: {type: int}` | `, line 6, column 7: column a is there twice: remove one of them`",
                "`T a: {type: int}/    key: b` | `, line 6, column 10: table film has no column \"b\": correct the name`",
                "`T a: {type: int}/    key: [a, a]` | `, line 6, column 10: the key of table film has a column twice`",
                "`T a: {type: int}/    references: [{columns: a, table: x, to: b}]` | `, line 6, column 18: there is no table \"x\" to refer to: correct the name, or remove the reference`",
                "`T a: {type: int}/    references: [{columns: a, table: film, to: b}]` | `, line 6, column 18: table film has no column \"b\": correct the name`",
                "`T a: {type: int}/    references: [{columns: a, table: film}]` | `, line 6, column 18: a reference of table film has no \"to\": write it like {columns: [city_id], table: city, to: [city_id]}`",
                "`T a: {type: int}/    references: [{columns: a, table: film, to: a}, {columns: a, table: film, to: a}]` | `, line 6, column 52: the same reference is there twice: remove one`",
                "`T a: {type: int}/      b: {type: text}/    references: [{columns: a, table: film, to: b}]` | `, line 7, column 18: table film can't refer by film.a (int) to film.b (String): correct the names, or map the columns alike`",
                "`T a: {type: int}/    references: [{columns: a, table: film, to: a, as: a}]` | `: table film: a foreign key is called a, as a column is: give it another name in the schema file`",
                "`T a: {type: int}/    references: [{columns: a, table: film, to: a, as: X, others: X}]` | `: table film: a foreign key is called X, as another is: give it another name in the schema file`",
                "`T a: {type: text, enum: Rating}` | `, line 5, column 29: column film.a is mapped to the enum Rating, which is not declared: add a line like \"Rating: [A, B]\" to the enums`",
                "`T a: {type: text, enum: [A, A]}` | `, line 5, column 33: the label \"A\" is there twice: remove one of them`",
                "`T a: {type: text, enum: [{A: B, C: D}]}` | `, line 5, column 30: expected one label with its name, such as PG-13: PG13, found a mapping`",
                "`T a: {type: int}/    key: &k [*k]` | `, line 6, column 10: an alias refers to what it is part of: write out what it stands for`",
                "`T   ` | `, line 3, column 3: table film has no columns: add some, or remove it`",
                "`T a: {type: int}/    as: String` | `: table film is called String, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`T a: {type: int, as: wait}` | `: column film.a is called wait, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`T a: {type: text, enum: {as: film, labels: [A]}}/    as: Film` | `: the enum of column film.a is called film, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`T a: {type: int, as: TABLE}` | `: column film.a is called TABLE, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`T a: {type: int, as: List}` | `: column film.a is called List, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`T a: {type: int}/    as: sealed` | `: table film is called sealed, which generated code needs for something else: give it another name after \"as\" in the schema file`",
                "`penstock-schema: 2/enums: {e: {labels: [A: X, B: X]}}` | `: two labels of the enum e are called X: give one of them another name after \"as\" in the schema file`",
                "`penstock-schema: 2/enums: {e: {as: E}}` | `, line 2, column 12: enum e has no labels: write them like labels: [A, B]`"
            })
    void parse_badFile_saysWhereAndWhatToDo(String text, String message) {
        String begun = "penstock-schema: 2/tables:/  film:/    columns:/      ";
        String file = text.replaceFirst("^T ", begun).replace('/', '\n');
        assertThatThrownBy(() -> parse(file))
                .isInstanceOf(CodegenException.class)
                .hasMessage("film.schema" + message);
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
