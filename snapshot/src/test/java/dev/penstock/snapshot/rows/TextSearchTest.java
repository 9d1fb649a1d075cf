package dev.penstock.snapshot.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.snapshot.InMemory;
import dev.penstock.snapshot.build.TableBuilder;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.memory.Memory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches in texts that are kept in tokens find what there is in the texts. */
class TextSearchTest {
    /** So many that they are not kept once for each different one. */
    private static final int ROWS = 70_000;

    /** Of few letters, so that what is searched for begins anew within itself, and within tokens. */
    private static final String[] PIECES = {
        "a", "b", "ab", "aab", "é", "who must meet ", "\uD83D\uDE00"
    };

    private static final List<String> TEXTS = new ArrayList<>();
    private static TestDatabase server;
    private static Engine memory;
    private static Table table;
    private static StoredTable stored;

    @BeforeAll
    static void load() throws SQLException {
        Random random = new Random(1);
        server = TestDatabase.create(Kind.H2);
        server.execute("create table texts (id int primary key, x varchar(2000))");
        try (Connection connection = server.connect();
                PreparedStatement insert =
                        connection.prepareStatement("insert into texts values (?, ?)")) {
            for (int row = 0; row < ROWS; row++) {
                String text = row % 100 == 0 ? null : text(random, row % 1000 == 1 ? 400 : 30);
                TEXTS.add(text);
                insert.setInt(1, row);
                insert.setString(2, text);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        Database database = Database.connect(server.dataSource());
        table = database.table("texts");
        memory = InMemory.of(database);
        try (TableBuilder builder = new TableBuilder(table, new Memory(1L << 30));
                Cursor rows = database.open(Plan.of(table))) {
            stored = builder.addAll(rows).build();
        }
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static String text(Random random, int pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = pieces / 3 + random.nextInt(pieces); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private static TextColumn column() {
        return (TextColumn) stored.columns().get(1);
    }

    @Test
    void isIn_anyPartOfATextOrOther_isWhatTheTextSays() {
        assertThat(column().tokens()).isNotNull();
        Random random = new Random(2);
        for (int i = 0; i < 100; i++) {
            String text = Objects.requireNonNullElse(TEXTS.get(random.nextInt(ROWS)), "");
            int start =
                    text.offsetByCodePoints(
                            0, random.nextInt(text.codePointCount(0, text.length()) + 1));
            int length = random.nextInt(1 + text.codePointCount(start, text.length()));
            String part = text.substring(start, text.offsetByCodePoints(start, length));
            part = i % 3 == 0 ? part + text(random, 3) : part;
            byte[] bytes = part.getBytes(UTF_8);
            if (!TextSearch.isFor(column(), bytes)) {
                assertThat(bytes.length).matches(n -> n == 0 || n > 254);
                continue;
            }
            TextSearch search = TextSearch.of(column(), bytes, new HeapReservation());
            for (int row = 0; row < ROWS; row++) {
                String each = TEXTS.get(row);
                assertThat(search.isIn(row))
                        .as("\"%s\" in \"%s\"", part, each)
                        .isEqualTo(each != null && each.contains(part));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 253, 254, 255, 256, 600})
    void contains_ofAnyLength_isWhatTheTextsSay(int length) {
        String longest =
                TEXTS.stream()
                        .filter(Objects::nonNull)
                        .max(Comparator.comparingInt(String::length))
                        .orElseThrow();
        boolean isWhole = !Character.isHighSurrogate(longest.charAt(length - 1));
        for (String part :
                List.of(
                        "aab".repeat(length / 3 + 1).substring(0, length),
                        longest.substring(0, isWhole ? length : length - 1))) {
            assertThat(
                            count(
                                    new Predicate.Text(
                                            "X", Predicate.TextOperation.CONTAINS, part, false)))
                    .isEqualTo(
                            TEXTS.stream()
                                    .filter(text -> text != null && text.contains(part))
                                    .count());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".*aab.*",
                "(a|b)*",
                ".*(é|b)b.*ab+a.*",
                "aab.*é",
                ".*who must mee?t .*bb.*",
                ".*",
                "",
                "[ab]*b[^b]*",
                "(?i).*WHO.*",
                "\\Qa\\E.*",
                ".*\\Qb\\E?aab.*",
                "a|b.*",
                ".*\uD83D\uDE00{2}a.*",
                ".*\uD83D\uDE00?ab.*"
            })
    void matches_anyExpression_isWhatTheTextsSay(String expression) {
        Pattern pattern = Pattern.compile(expression);
        long expected =
                TEXTS.stream()
                        .filter(text -> text != null && pattern.matcher(text).matches())
                        .count();
        assertThat(count(new Predicate.Matches("X", expression, 0))).isEqualTo(expected);
        assertThat(count(new Predicate.Not(new Predicate.Matches("X", expression, 0))))
                .isEqualTo(ROWS - expected);
    }

    private static long count(Predicate predicate) {
        return Long.parseLong(
                Rows.texts(memory, Plan.of(table).where(predicate).count()).getFirst().getFirst());
    }
}
