package dev.penstock.query.typed;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.typed.field.BinaryField;
import dev.penstock.query.typed.field.BooleanField;
import dev.penstock.query.typed.field.CharField;
import dev.penstock.query.typed.field.DoubleField;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FloatField;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.query.typed.field.ValueField;
import dev.penstock.query.typed.mapping.FieldReaders;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table of random columns and rows with values that databases like to get wrong, and its entity. */
final class RandomTable {
    /** A row of any such table. */
    record Row(List<Object> cells) {
        Object cell(int index) {
            return cells.get(index);
        }
    }

    enum Mood {
        SAD,
        HAPPY,
        GLAD;

        String text() {
            return this == GLAD ? "so glad" : name();
        }

        static Mood of(String text) {
            return text.equals("so glad") ? GLAD : valueOf(text);
        }
    }

    /** The kinds of columns. */
    enum Holds {
        INT,
        LONG,
        TEXT,
        DECIMAL,
        DOUBLE,
        DATE,
        BOOLEAN,
        MOOD,
        TIMESTAMP,
        TIME,
        INSTANT,
        FLOAT,
        CHAR,
        UUID,
        BYTES,
        NUMBER
    }

    private static final List<String> ODD_TEXTS =
            List.of(
                    "a",
                    "A",
                    "",
                    " ",
                    "a ",
                    "á",
                    "a\u0301",
                    "ß",
                    "ss",
                    "SS",
                    "%",
                    "_",
                    "a%",
                    "a_b",
                    "\\",
                    "\\\\",
                    "'",
                    "\uFFFD",
                    "\uD83D\uDE00",
                    "\uE000",
                    "ab",
                    "aB",
                    "a\tb",
                    "z",
                    "Z",
                    "0",
                    "10",
                    "9",
                    "\u0130",
                    "i",
                    "\u212A",
                    "k",
                    "\u03C3",
                    "\u03C2",
                    "NULL");

    /** Odd ones, and those whose lengths are around the sizes of arrays. */
    static final List<String> TEXTS =
            Stream.of(ODD_TEXTS, ODD_TEXTS, Lengths.texts()).flatMap(List::stream).toList();

    private final Kind kind;
    private final String name;
    private final List<Holds> types = new ArrayList<>();
    private final List<Boolean> nullable = new ArrayList<>();
    private final boolean keyed;
    private final Random random;
    private final List<Field<Row, ?>> fields = new ArrayList<>();

    RandomTable(Kind kind, String name, Random random) {
        this.kind = kind;
        this.name = name;
        this.random = random;
        this.keyed = random.nextInt(8) > 0;
        add(Holds.INT, false);
        int columns = 2 + random.nextInt(7);
        for (int i = 0; i < columns; i++) {
            add(Holds.values()[random.nextInt(Holds.values().length)], random.nextInt(3) > 0);
        }
    }

    private void add(Holds type, boolean mayBeNull) {
        int index = types.size();
        types.add(type);
        nullable.add(mayBeNull);
        fields.add(field(type, index, "c" + index, mayBeNull));
    }

    boolean isKeyed() {
        return keyed;
    }

    List<Field<Row, ?>> fields() {
        return fields;
    }

    List<Holds> types() {
        return types;
    }

    Entity<Row> entity() {
        return Entity.of(
                Row.class, name, this::read, fields, keyed ? fields.subList(0, 1) : List.of());
    }

    private Row read(Cursor cursor) {
        List<Object> cells = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            cells.add(FieldReaders.reader(fields.get(i), i).read(cursor));
        }
        return new Row(cells);
    }

    private static Field<Row, ?> field(Holds type, int i, String column, boolean mayBeNull) {
        return switch (type) {
            case INT ->
                    mayBeNull
                            ? IntField.nullable(Row.class, column, r -> (Integer) r.cell(i))
                            : IntField.of(Row.class, column, r -> (Integer) r.cell(i));
            case LONG ->
                    mayBeNull
                            ? LongField.nullable(Row.class, column, r -> (Long) r.cell(i))
                            : LongField.of(Row.class, column, r -> (Long) r.cell(i));
            case DOUBLE ->
                    mayBeNull
                            ? DoubleField.nullable(Row.class, column, r -> (Double) r.cell(i))
                            : DoubleField.of(Row.class, column, r -> (Double) r.cell(i));
            case FLOAT ->
                    mayBeNull
                            ? FloatField.nullable(Row.class, column, r -> (Float) r.cell(i))
                            : FloatField.of(Row.class, column, r -> (Float) r.cell(i));
            case BOOLEAN ->
                    mayBeNull
                            ? BooleanField.nullable(Row.class, column, r -> (Boolean) r.cell(i))
                            : BooleanField.of(Row.class, column, r -> (Boolean) r.cell(i));
            case CHAR ->
                    mayBeNull
                            ? CharField.nullable(Row.class, column, r -> (Character) r.cell(i))
                            : CharField.of(Row.class, column, r -> (Character) r.cell(i));
            case TEXT -> new TextField<>(Row.class, column, mayBeNull, r -> (String) r.cell(i));
            case BYTES -> new BinaryField<>(Row.class, column, mayBeNull, r -> (byte[]) r.cell(i));
            case MOOD ->
                    new EnumField<>(
                            Row.class,
                            column,
                            Mood.class,
                            mayBeNull,
                            r -> (Mood) r.cell(i),
                            Mood::text,
                            Mood::of);
            case DECIMAL, NUMBER -> value(BigDecimal.class, i, column, mayBeNull);
            case DATE -> value(LocalDate.class, i, column, mayBeNull);
            case TIME -> value(LocalTime.class, i, column, mayBeNull);
            case TIMESTAMP ->
                    new ValueField<>(
                            Row.class,
                            column,
                            LocalDateTime.class,
                            mayBeNull,
                            r -> (LocalDateTime) r.cell(i));
            case INSTANT -> value(Instant.class, i, column, mayBeNull);
            case UUID -> value(UUID.class, i, column, mayBeNull);
        };
    }

    private static <V extends Comparable<? super V>> ValueField<Row, V> value(
            Class<V> type, int i, String column, boolean mayBeNull) {
        return new ValueField<>(Row.class, column, type, mayBeNull, r -> type.cast(r.cell(i)));
    }

    private String sql(Holds type) {
        boolean maria = kind == Kind.MARIADB || kind == Kind.MYSQL;
        boolean postgres = kind == Kind.POSTGRESQL;
        return switch (type) {
            case INT -> "int";
            case LONG -> "bigint";
            case DOUBLE -> "double precision";
            case FLOAT -> maria ? "float" : "real";
            case BOOLEAN -> "boolean";
            case CHAR -> "varchar(1)" + collation();
            case TEXT -> (postgres ? "text" : "varchar(300)") + collation();
            case DECIMAL ->
                    postgres && random.nextBoolean()
                            ? "numeric"
                            : random.nextBoolean() ? "decimal(20,6)" : "decimal(12,2)";
            case DATE -> "date";
            case TIME -> "time(6)";
            case TIMESTAMP -> maria ? "datetime(6)" : "timestamp(6)";
            case INSTANT -> maria ? "timestamp(6)" : "timestamp(6) with time zone";
            case UUID -> "uuid";
            case BYTES -> postgres ? "bytea" : "varbinary(300)";
            case NUMBER -> postgres ? "numeric" : maria ? "decimal(65,30)" : "numeric(200,60)";
            case MOOD ->
                    maria && random.nextBoolean() ? "enum('HAPPY','SAD','so glad')" : "varchar(20)";
        };
    }

    private String collation() {
        return switch (kind) {
            case H2 -> "";
            case POSTGRESQL -> random.nextBoolean() ? "" : " collate \"C\"";
            case MARIADB, MYSQL ->
                    " character set utf8mb4 collate "
                            + List.of(
                                            "utf8mb4_general_ci",
                                            "utf8mb4_bin",
                                            "utf8mb4_unicode_ci",
                                            "utf8mb4_nopad_bin")
                                    .get(random.nextInt(4));
        };
    }

    /** Makes the table with its rows. */
    void create(TestDatabase server) throws SQLException {
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            String key = i == 0 && keyed ? " primary key" : nullable.get(i) ? " null" : " not null";
            columns.add("c" + i + " " + sql(types.get(i)) + key);
        }
        server.execute("create table " + name + " (" + String.join(", ", columns) + ")");
        String marks = types.stream().map(_ -> "?").collect(Collectors.joining(", "));
        try (Connection connection = server.connect();
                PreparedStatement insert =
                        connection.prepareStatement(
                                "insert into " + name + " values (" + marks + ")")) {
            int rows = random.nextInt(50);
            for (int id = 1; id <= rows; id++) {
                for (int i = 0; i < types.size(); i++) {
                    boolean isNull = nullable.get(i) && random.nextInt(4) == 0;
                    Object value = i == 0 ? id : isNull ? null : value(types.get(i));
                    insert.setObject(i + 1, value == null ? null : bindable(value));
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private Object bindable(Object value) {
        return switch (value) {
            case Mood mood -> mood.text();
            case Character c -> c.toString();
            case Instant instant when kind == Kind.MARIADB || kind == Kind.MYSQL ->
                    instant.atOffset(ZoneOffset.UTC).toLocalDateTime();
            case Instant instant -> instant.atOffset(ZoneOffset.UTC);
            case UUID uuid when kind == Kind.MARIADB || kind == Kind.MYSQL -> uuid.toString();
            default -> value;
        };
    }

    private Object value(Holds type) {
        return of(values(type, kind == Kind.MARIADB || kind == Kind.MYSQL));
    }

    private <T> T of(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** Decimals of many digits, up to the most that each database has a type for. */
    private static List<BigDecimal> numbers(boolean finite) {
        List<BigDecimal> all = new ArrayList<>();
        for (String few : List.of("0", "1.5", "1.50", "-1.5", "2")) {
            all.add(new BigDecimal(few));
        }
        Random random = new Random(1);
        for (int digits : List.of(1, 17, 18, 19, 20, 37, 38, 39, 63, 64, 65)) {
            all.add(Lengths.number(digits, Math.min(digits, 30), random));
        }
        if (!finite) {
            for (int digits : Lengths.around(List.of(64, 96, 128))) {
                all.add(Lengths.number(digits, 60, random));
                all.add(Lengths.number(digits, 0, random));
            }
        }
        return all;
    }

    /** Values of a type, with those that are hard; without those that MariaDB has no place for. */
    static List<? extends Object> values(Holds type, boolean finite) {
        return switch (type) {
            case INT -> List.of(0, 1, -1, 2, 7, 60, Integer.MAX_VALUE, Integer.MIN_VALUE);
            case LONG -> List.of(0L, 1L, -1L, 3L, 1L << 40, -(1L << 60), (1L << 53) + 1, 1L << 53);
            case DOUBLE ->
                    finite
                            ? List.of(0.0, 1.5, -1.5, 0.25, 1e300, 4.9E-324, 3.0)
                            : List.of(
                                    0.0,
                                    -0.0,
                                    1.5,
                                    -1.5,
                                    1e300,
                                    Double.NaN,
                                    Double.POSITIVE_INFINITY,
                                    Double.NEGATIVE_INFINITY);
            case FLOAT ->
                    finite
                            ? List.of(0f, 1.5f, -1.5f, 0.1f, 16777216f)
                            : List.of(0f, -0f, 1.5f, 0.1f, Float.NaN, Float.POSITIVE_INFINITY);
            case BOOLEAN -> List.of(false, true);
            case CHAR -> List.of('a', 'A', 'z', '%', '_', 'ß', '\uFFFD', '0');
            case TEXT -> TEXTS;
            case BYTES ->
                    Stream.concat(
                                    Stream.of(
                                            new byte[0],
                                            new byte[] {0},
                                            new byte[] {-1},
                                            new byte[] {1, 2, -3}),
                                    Lengths.bytes().stream())
                            .toList();
            case NUMBER -> numbers(finite);
            case MOOD -> List.of(Mood.values());
            case DECIMAL ->
                    List.of(
                            new BigDecimal("0"),
                            new BigDecimal("1.50"),
                            new BigDecimal("1.5"),
                            new BigDecimal("-1.50"),
                            new BigDecimal("1.51"),
                            new BigDecimal("9999999.99"));
            case DATE ->
                    List.of(
                            LocalDate.of(2026, 11, 21),
                            LocalDate.of(1970, 1, 1),
                            LocalDate.of(1900, 2, 28),
                            LocalDate.of(9999, 12, 31));
            case TIME ->
                    List.of(
                            LocalTime.of(0, 0),
                            LocalTime.of(13, 45),
                            LocalTime.of(13, 45, 0, 250_000_000),
                            LocalTime.of(23, 59, 59, 999_999_000));
            case TIMESTAMP ->
                    List.of(
                            LocalDateTime.of(2026, 11, 21, 13, 45),
                            LocalDateTime.of(2026, 11, 21, 13, 45, 0, 1_000),
                            LocalDateTime.of(1970, 1, 1, 0, 0),
                            LocalDateTime.of(1900, 1, 1, 0, 0, 1, 500_000_000));
            case INSTANT ->
                    List.of(
                            Instant.parse("2026-11-21T13:45:00Z"),
                            Instant.parse("2026-11-21T13:45:00.000001Z"),
                            Instant.parse("1999-12-31T23:59:59.5Z"),
                            Instant.parse("2010-03-28T01:30:00Z"));
            case UUID ->
                    List.of(
                            new UUID(0, 0),
                            new UUID(1, -1),
                            new UUID(-1, 1),
                            UUID.fromString("7f000000-0000-4000-8000-0000000000ff"),
                            UUID.fromString("80000000-0000-4000-8000-000000000001"));
        };
    }
}
