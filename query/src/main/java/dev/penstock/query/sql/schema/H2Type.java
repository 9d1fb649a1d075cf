package dev.penstock.query.sql.schema;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.ColumnType;
import dev.penstock.query.NativeType;
import dev.penstock.query.NativeType.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A type of H2 as its metadata names it.
 *
 * @param nativeType what it is to the outside
 * @param parameter a bound text as a value of the type, neither cut nor rounded; empty where H2 compares as the {@link
 *     ColumnType} says, or not at all
 * @param isJsonArray whether it is an array that is spelled as one of JSON
 */
record H2Type(NativeType nativeType, String parameter, boolean isJsonArray) {
    private static final Pattern ARRAY = Pattern.compile("(?s)(.*) ARRAY(\\[\\d+])?");
    private static final Pattern LABEL = Pattern.compile("'((?:[^']|'')*)'");
    private static final Pattern SIZE = Pattern.compile("\\(\\d+(, *\\d+)?\\)");
    private static final String IGNORING_CASE = "VARCHAR_IGNORECASE";

    H2Type {
        requireNonNull(nativeType);
        requireNonNull(parameter);
    }

    static H2Type of(String name, ColumnType type) {
        if (ARRAY.matcher(name).matches()) {
            return array(name);
        }
        if (name.startsWith("ENUM")) {
            return new H2Type(NativeType.ofLabels(labels(name)), cast(name), false);
        }
        if (type == ColumnType.JSON) {
            return of(Comparison.ORDERED, "(CAST(? AS VARCHAR) FORMAT JSON)");
        }
        if (name.equals(IGNORING_CASE)) {
            return of(Comparison.ORDERED, cast(name));
        }
        if (type != ColumnType.OTHER) {
            return of(Comparison.CANONICAL, "");
        }
        if (name.startsWith("GEOMETRY")) {
            return of(Comparison.EQUALITY, cast("GEOMETRY"));
        }
        boolean isOrdered =
                name.startsWith("INTERVAL")
                        || name.startsWith("TIME")
                        || name.startsWith("DECFLOAT");
        return isOrdered ? of(Comparison.ORDERED, cast(unbounded(name))) : of(Comparison.NONE, "");
    }

    private static H2Type of(Comparison comparison, String parameter) {
        return new H2Type(NativeType.of(comparison), parameter, false);
    }

    private static H2Type array(String name) {
        String element = name;
        int depth = 0;
        for (Matcher array = ARRAY.matcher(element); array.matches(); depth++) {
            element = requireNonNull(array.group(1));
            array = ARRAY.matcher(element);
        }
        ColumnType type = columnType(0, SIZE.matcher(element).replaceAll(""));
        // H2 makes no JSON of bytes and of rows.
        boolean isJson = type != ColumnType.BINARY && !element.startsWith("ROW");
        return isJson
                ? new H2Type(
                        NativeType.ofArray(Comparison.ORDERED, type),
                        cast(unbounded(element) + " ARRAY".repeat(depth)),
                        true)
                : new H2Type(NativeType.ofArray(Comparison.NONE, type), "", false);
    }

    private static String cast(String type) {
        return "CAST(? AS " + type + ")";
    }

    /**
     * Returns the type with the most digits, characters and fractions of a second that there are, so that no value is
     * made to fit.
     */
    private static String unbounded(String name) {
        if (name.startsWith("ENUM")) {
            return name;
        }
        String type = SIZE.matcher(name).replaceAll("");
        if (type.startsWith("INTERVAL SECOND")) {
            return "INTERVAL SECOND(18, 9)";
        }
        if (type.startsWith("INTERVAL ")) {
            String precise = type.replaceFirst("(INTERVAL [A-Z]+)", "$1(18)");
            return precise.replaceFirst("TO SECOND$", "TO SECOND(9)");
        }
        return switch (type) {
            case "NUMERIC", "DECIMAL" -> "DECFLOAT";
            case "CHARACTER", "CHAR" -> "CHARACTER VARYING";
            case "TIME", "TIMESTAMP" -> type + "(9)";
            case "TIME WITH TIME ZONE" -> "TIME(9) WITH TIME ZONE";
            case "TIMESTAMP WITH TIME ZONE" -> "TIMESTAMP(9) WITH TIME ZONE";
            default -> type;
        };
    }

    private static List<String> labels(String name) {
        List<String> labels = new ArrayList<>();
        Matcher label = LABEL.matcher(name);
        while (label.find()) {
            labels.add(label.group(1).replace("''", "'"));
        }
        return labels;
    }

    /** Returns what a type of H2 is to the outside. */
    static ColumnType columnType(int jdbcType, String typeName) {
        if (typeName.matches("(?s).* ARRAY(\\[\\d+])?")) {
            return ColumnType.OTHER;
        }
        return switch (typeName) {
            case "BOOLEAN" -> ColumnType.BOOLEAN;
            case "TINYINT", "SMALLINT", "INTEGER" -> ColumnType.INT;
            case "BIGINT" -> ColumnType.LONG;
            case "NUMERIC", "DECIMAL" -> ColumnType.DECIMAL;
            case "REAL" -> ColumnType.FLOAT;
            case "DOUBLE PRECISION", "FLOAT" -> ColumnType.DOUBLE;
            case "DATE" -> ColumnType.DATE;
            case "TIME" -> ColumnType.TIME;
            case "TIMESTAMP" -> ColumnType.TIMESTAMP;
            case "TIMESTAMP WITH TIME ZONE" -> ColumnType.TIMESTAMP_UTC;
            case "BINARY", "BINARY VARYING", "BINARY LARGE OBJECT", "JAVA_OBJECT" ->
                    ColumnType.BINARY;
            case "UUID" -> ColumnType.UUID;
            case "JSON" -> ColumnType.JSON;
            default ->
                    typeName.startsWith("CHARACTER")
                                    || typeName.startsWith("ENUM")
                                    || typeName.equals("VARCHAR_IGNORECASE")
                            ? ColumnType.TEXT
                            : ColumnType.OTHER;
        };
    }
}
