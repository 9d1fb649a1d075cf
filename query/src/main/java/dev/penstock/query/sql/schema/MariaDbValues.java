package dev.penstock.query.sql.schema;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.NativeType;
import dev.penstock.query.NativeType.Comparison;
import dev.penstock.query.sql.statement.NativeValueCheck;
import dev.penstock.query.sql.statement.SqlColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of MariaDB's and MySQL's own types. These databases make NULL, zero or something near of a text that is no
 * value of a type, so what can be read here is.
 */
public final class MariaDbValues {
    /** One value of {@code enum('a','it''s')}. */
    private static final Pattern LABEL = Pattern.compile("'((?:[^']|'')*)'");

    private static final Pattern ESCAPE = Pattern.compile("''|\\\\(.)", Pattern.DOTALL);
    private static final Pattern DATE =
            Pattern.compile("[0-9]{4}-(0[0-9]|1[0-2])-([0-2][0-9]|3[01])");
    private static final Pattern TIMESTAMP =
            Pattern.compile(DATE.pattern() + "T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\\.[0-9]{1,6})?");
    private static final Pattern TIME =
            Pattern.compile(
                    "-?([0-9]{2}|[1-7][0-9]{2}|8[0-2][0-9]|83[0-8])(:[0-5][0-9]){2}(\\.[0-9]{1,6})?");

    private MariaDbValues() {}

    static NativeType nativeType(ColumnType type, String dataType, String shown) {
        return switch (dataType) {
            case "enum" -> NativeType.ofLabels(labels(shown));
            case "set", "inet4", "inet6" -> NativeType.of(Comparison.ORDERED);
            default -> nativeType(type, MariaDbSchema.isGeometry(dataType));
        };
    }

    private static NativeType nativeType(ColumnType type, boolean isGeometry) {
        return switch (type) {
            case JSON -> NativeType.of(Comparison.ORDERED);
            case OTHER -> NativeType.of(isGeometry ? Comparison.EQUALITY : Comparison.NONE);
            default -> NativeType.CANONICAL;
        };
    }

    /**
     * Returns the same column, compared as its own type is, where that is known. Of a view's column of days, which may
     * stand for one that can't be NULL, these databases say of 0000-00-00 that it IS NULL; of an expression they do
     * not.
     */
    static SqlColumn withNativeComparison(SqlColumn column, String dataType, boolean isOfView) {
        String name = column.name();
        SqlColumn.NativeComparison nativeComparison =
                switch (dataType) {
                    // Both are ordered by the number that stands for them, and compared with a text
                    // as texts.
                    case "enum", "set" -> known("CAST(" + name + " AS UNSIGNED)", "?");
                    case "inet4", "inet6" ->
                            read(name, "CAST(? AS " + dataType.toUpperCase(Locale.ROOT) + ")");
                    case "json" ->
                            new SqlColumn.NativeComparison(
                                    name, "CAST(? AS JSON)", "NOT JSON_VALID(?)");
                    // Days and times that are none have no constant, but a text that sorts as they
                    // do.
                    case "date" -> days(name, "%Y-%m-%d", isOfView);
                    case "datetime", "timestamp" -> days(name, "%Y-%m-%d %H:%i:%s.%f", isOfView);
                    case "time" -> known(name, "CAST(? AS TIME(6))");
                    default ->
                            MariaDbSchema.isGeometry(dataType)
                                    ? read(name, "ST_GeomFromText(?)")
                                    : null;
                };
        // MariaDB's JSON is a text.
        if (nativeComparison == null && column.column().type() == ColumnType.JSON) {
            nativeComparison =
                    new SqlColumn.NativeComparison(
                            column.comparable(), column.parameter(), "NOT JSON_VALID(?)");
        }
        return nativeComparison == null ? column : column.withNativeComparison(nativeComparison);
    }

    private static SqlColumn.NativeComparison known(String comparable, String parameter) {
        return new SqlColumn.NativeComparison(comparable, parameter, "? IS NULL");
    }

    private static SqlColumn.NativeComparison days(String name, String format, boolean isOfView) {
        String text = "DATE_FORMAT(" + name + ", '" + format + "')";
        SqlColumn.NativeComparison known = known(text, "?");
        return isOfView ? known.withNullTested(text) : known;
    }

    private static SqlColumn.NativeComparison read(String comparable, String parameter) {
        return new SqlColumn.NativeComparison(comparable, parameter, parameter + " IS NULL");
    }

    /** Returns what is bound for a text. */
    public static Object bound(Column column, String text) {
        String type = column.databaseType();
        if (type.startsWith("enum(")) {
            int place = labels(type).indexOf(text);
            // A value that was none when it was stored is the empty text with the number 0.
            return require(column, place >= 0 || text.isEmpty(), (long) place + 1);
        }
        if (type.startsWith("set(")) {
            return members(column, labels(type), text);
        }
        return switch (column.type()) {
            case DATE -> require(column, DATE.matcher(text).matches(), text);
            case TIME -> require(column, TIME.matcher(text).matches(), text);
            case TIMESTAMP -> timestamp(column, text);
            case TIMESTAMP_UTC ->
                    timestamp(
                            column, text.endsWith("Z") ? text.substring(0, text.length() - 1) : "");
            case BOOLEAN, INT, LONG, DECIMAL, FLOAT, DOUBLE, TEXT, BINARY, UUID, JSON, OTHER ->
                    text;
        };
    }

    private static String timestamp(Column column, String text) {
        String known = require(column, TIMESTAMP.matcher(text).matches(), text);
        int point = known.indexOf('.');
        String fraction = point < 0 ? "" : known.substring(point + 1);
        return known.substring(0, 19).replace('T', ' ')
                + "."
                + fraction
                + "0".repeat(6 - fraction.length());
    }

    /** Each member of a set is a bit of its number. */
    private static BigDecimal members(Column column, List<String> labels, String text) {
        BigInteger number = BigInteger.ZERO;
        for (String member : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int place = labels.indexOf(member);
            number = number.setBit(require(column, place >= 0, Math.max(place, 0)));
        }
        return new BigDecimal(number);
    }

    private static <T> T require(Column column, boolean condition, T value) {
        if (!condition) {
            throw NativeValueCheck.noValue(column, null);
        }
        return value;
    }

    /** Returns the values of an enum's or a set's declaration. */
    static List<String> labels(String declaration) {
        List<String> labels = new ArrayList<>();
        Matcher label = LABEL.matcher(declaration);
        while (label.find()) {
            labels.add(ESCAPE.matcher(label.group(1)).replaceAll(MariaDbValues::unescaped));
        }
        return labels;
    }

    private static String unescaped(java.util.regex.MatchResult escape) {
        String letter = escape.group(1);
        return Matcher.quoteReplacement(
                switch (letter) {
                    case null -> "'";
                    case "n" -> "\n";
                    case "r" -> "\r";
                    case "0" -> "\0";
                    default -> letter;
                });
    }
}
