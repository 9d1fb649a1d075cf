package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.TextField;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Conditions with constants as long, as many and as deep as nobody thought of: they mean what they mean on a list, and
 * never fail.
 */
class LongConstantsIT {
    record Note(int id, String text) {
        static final IntField<Note> ID = IntField.of(Note.class, "id", Note::id);
        static final TextField<Note> TEXT = TextField.of(Note.class, "text", Note::text);
        static final Entity<Note> TABLE =
                Entity.of(
                        Note.class,
                        "note",
                        row -> new Note(row.getInt(0), String.valueOf(row.getString(1))),
                        List.of(ID, TEXT),
                        List.of(ID));
    }

    /** On both sides of what databases, drivers and compilers of regular expressions have as bounds. */
    private static final int[] LENGTHS = {1, 199, 200, 201, 1000, 100_000, 1_000_000};

    private static final int LONGEST_CELL = 100_000;

    private static String text(int length) {
        String some = "Straße_50% K\u212A|[\\o\uD83D\uDE00]É. İıſ";
        StringBuilder text = new StringBuilder(length + some.length());
        while (text.length() < length) {
            text.append(some).append(text.length());
        }
        text.setLength(length);
        if (Character.isHighSurrogate(text.charAt(length - 1))) {
            text.setCharAt(length - 1, 'x');
        }
        return text.toString();
    }

    private static List<Note> notes() {
        List<String> texts = new ArrayList<>(List.of("", "straße", "x"));
        for (int length : LENGTHS) {
            if (length <= LONGEST_CELL) {
                texts.add(text(length));
                texts.add(text(length).toUpperCase(Locale.ROOT).replace("SS", "ß"));
                texts.add("before " + text(length) + " after");
            }
        }
        return IntStream.range(0, texts.size()).mapToObj(i -> new Note(i, texts.get(i))).toList();
    }

    private static void create(TestDatabase server, List<Note> notes) throws SQLException {
        String type =
                server.kind() == Kind.POSTGRESQL
                        ? "text"
                        : server.kind() == Kind.H2 ? "varchar" : "longtext";
        server.execute("create table note (id int primary key, text " + type + " not null)");
        try (Connection connection = server.connect();
                PreparedStatement insert =
                        connection.prepareStatement("insert into note values (?, ?)")) {
            for (Note note : notes) {
                insert.setInt(1, note.id());
                insert.setString(2, note.text());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static Map<String, Condition<Note>> conditions(String text) {
        TextField<Note> field = Note.TEXT;
        Map<String, Condition<Note>> all = new LinkedHashMap<>();
        all.put("equal", field.equal(text));
        all.put("notEqual", field.notEqual(text));
        all.put("lessThan", field.lessThan(text));
        all.put("greaterOrEqual", field.greaterOrEqual(text));
        all.put("between", field.between(text, text + "x"));
        all.put("in", field.in(text, "x", text + "y"));
        all.put("startsWith", field.startsWith(text));
        all.put("endsWith", field.endsWith(text));
        all.put("contains", field.contains(text));
        all.put("notContains", field.notContains(text));
        all.put("equalIgnoreCase", field.equalIgnoreCase(text));
        all.put("notEqualIgnoreCase", field.notEqualIgnoreCase(text));
        all.put("startsWithIgnoreCase", field.startsWithIgnoreCase(text));
        all.put("endsWithIgnoreCase", field.endsWithIgnoreCase(text));
        all.put("containsIgnoreCase", field.containsIgnoreCase(text));
        all.put("matches", field.matches(text.replaceAll("[^A-Za-z]", "x")));
        return all;
    }

    private static List<Integer> ids(Stream<Note> notes, Condition<Note> condition) {
        return notes.filter(condition).map(Note::id).sorted().toList();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void condition_ofALongText_meansWhatItMeansOnAList(Kind kind) throws SQLException {
        try (TestDatabase server = TestDatabase.create(kind)) {
            List<Note> notes = notes();
            create(server, notes);
            TypedTable<Note> table = TypedTable.of(Database.connect(server.pooled()), Note.TABLE);
            for (int length : LENGTHS) {
                conditions(text(length))
                        .forEach((name, condition) ->
                                assertThat(ids(table.stream(), condition))
                                        .as("%s of %d characters", name, length)
                                        .isEqualTo(ids(notes.stream(), condition)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void condition_ofManyValuesOrDeep_meansWhatItMeansOnAList(Kind kind) throws SQLException {
        try (TestDatabase server = TestDatabase.create(kind)) {
            List<Note> notes = notes();
            create(server, notes);
            TypedTable<Note> table = TypedTable.of(Database.connect(server.pooled()), Note.TABLE);
            for (int count : new int[] {8, 9, 65_535, 65_536, 100_001}) {
                List<Integer> ids = IntStream.range(-count, 3).boxed().toList();
                List<String> texts = ids.stream().map(i -> i == 0 ? "x" : "text " + i).toList();
                for (Condition<Note> condition :
                        List.of(
                                Note.ID.in(ids),
                                Note.ID.notIn(ids),
                                Note.TEXT.in(texts),
                                Note.ID.in(ids).negate())) {
                    assertThat(ids(table.stream(), condition))
                            .as("%d values", count)
                            .isEqualTo(ids(notes.stream(), condition));
                }
            }
            for (int depth : new int[] {99, 100, 101, 400}) {
                Condition<Note> deep = Note.ID.equal(1);
                for (int i = 0; i < depth; i++) {
                    deep =
                            i % 2 == 0
                                    ? deep.or(Note.ID.equal(i))
                                    : deep.and(Note.ID.lessThan(20)).negate();
                }
                assertThat(ids(table.stream(), deep))
                        .as("%d deep", depth)
                        .isEqualTo(ids(notes.stream(), deep));
            }
        }
    }
}
