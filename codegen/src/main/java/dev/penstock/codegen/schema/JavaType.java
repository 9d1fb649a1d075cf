package dev.penstock.codegen.schema;

import dev.penstock.query.ColumnType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A type of Java that values of a column have, with its kind of field. */
public enum JavaType {
    BOOLEAN("boolean", "Boolean", "BooleanField", null),
    INT("int", "Integer", "IntField", null),
    LONG("long", "Long", "LongField", null),
    FLOAT("float", "Float", "FloatField", null),
    DOUBLE("double", "Double", "DoubleField", null),
    CHAR("char", "Character", "CharField", null),
    STRING("String", "String", "TextField", null),
    BIG_DECIMAL("BigDecimal", "java.math"),
    BIG_INTEGER("BigInteger", "java.math"),
    LOCAL_DATE("LocalDate", "java.time"),
    LOCAL_TIME("LocalTime", "java.time"),
    LOCAL_DATE_TIME("LocalDateTime", "java.time"),
    INSTANT("Instant", "java.time"),
    UUID("UUID", "java.util"),
    BYTES("byte[]", "byte[]", "BinaryField", null),
    ENUM("enum", "enum", "EnumField", null);

    /** Its name, in Java and in the schema file. */
    public final String text;

    /** Its name where the value may be null. */
    public final String boxed;

    /** The class of its fields. */
    public final String field;

    /** The package to import it from; null where there is nothing to import. */
    public final @Nullable String source;

    JavaType(String text, String boxed, String field, @Nullable String source) {
        this.text = text;
        this.boxed = boxed;
        this.field = field;
        this.source = source;
    }

    JavaType(String text, String source) {
        this(text, text, "ValueField", source);
    }

    /** What a column is unless something else is asked for. */
    static JavaType of(ColumnType type, String databaseType) {
        return switch (type) {
            case BOOLEAN -> BOOLEAN;
            case INT -> INT;
            case LONG -> LONG;
            // A whole number beyond 64 bits signed is shown as a decimal.
            case DECIMAL ->
                    databaseType.matches("(?i)(bigint|bit)\\b.*") ? BIG_INTEGER : BIG_DECIMAL;
            case FLOAT -> FLOAT;
            case DOUBLE -> DOUBLE;
            case TEXT, JSON, OTHER -> STRING;
            case DATE -> LOCAL_DATE;
            case TIME -> LOCAL_TIME;
            case TIMESTAMP -> LOCAL_DATE_TIME;
            case TIMESTAMP_UTC -> INSTANT;
            case BINARY -> BYTES;
            case UUID -> UUID;
        };
    }

    static Optional<JavaType> named(String text) {
        return Arrays.stream(values()).filter(type -> type.text.equals(text)).findFirst();
    }

    /** Returns whether a column of that type can be read as this. */
    boolean fits(ColumnType type) {
        return switch (this) {
            case BOOLEAN -> type == ColumnType.BOOLEAN || type == ColumnType.INT;
            case INT -> type == ColumnType.INT;
            case LONG -> type == ColumnType.LONG || type == ColumnType.INT;
            case FLOAT -> type == ColumnType.FLOAT;
            case DOUBLE -> type == ColumnType.DOUBLE;
            case CHAR -> type == ColumnType.TEXT;
            case ENUM -> type == ColumnType.TEXT || type == ColumnType.OTHER;
            case STRING -> type.isTextual();
            case BIG_DECIMAL, BIG_INTEGER -> type == ColumnType.DECIMAL;
            case LOCAL_DATE -> type == ColumnType.DATE;
            case LOCAL_TIME -> type == ColumnType.TIME;
            case LOCAL_DATE_TIME -> type == ColumnType.TIMESTAMP;
            case INSTANT -> type == ColumnType.TIMESTAMP_UTC;
            case UUID -> type == ColumnType.UUID;
            case BYTES -> type == ColumnType.BINARY;
        };
    }

    /**
     * Returns whether a value of this may be equal to one of another, so that a foreign key can refer from one to the
     * other.
     */
    boolean isLike(JavaType other) {
        return this == other || (isNumber() && other.isNumber()) || (isText() && other.isText());
    }

    private boolean isNumber() {
        return switch (this) {
            case INT, LONG, FLOAT, DOUBLE, BIG_DECIMAL, BIG_INTEGER -> true;
            case BOOLEAN,
                    CHAR,
                    STRING,
                    LOCAL_DATE,
                    LOCAL_TIME,
                    LOCAL_DATE_TIME,
                    INSTANT,
                    UUID,
                    BYTES,
                    ENUM ->
                    false;
        };
    }

    private boolean isText() {
        return this == CHAR || this == STRING || this == ENUM;
    }

    /** What a column of that type can be, for messages. */
    static String choices(ColumnType type) {
        List<JavaType> fitting = Arrays.stream(values()).filter(t -> t.fits(type)).toList();
        return fitting.stream().map(t -> t.text).collect(Collectors.joining(", "));
    }

    /** How many of the 255 slots of a method's parameters it takes. */
    public int slots(boolean nullable) {
        return (this == LONG || this == DOUBLE) && !nullable ? 2 : 1;
    }
}
