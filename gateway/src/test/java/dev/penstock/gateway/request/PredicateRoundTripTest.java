package dev.penstock.gateway.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.RequestHead;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Random predicates, written as URLs and read back. */
class PredicateRoundTripTest {
    private static final Table TABLE =
            new Table(
                    null,
                    "t",
                    List.of(
                            new Column("num", ColumnType.LONG, "bigint", true, 20),
                            new Column(
                                    "a.b (c), \"d\" \\ \u00E9", ColumnType.TEXT, "text", true, 20),
                            new Column("not", ColumnType.DECIMAL, "numeric", true, 20),
                            new Column("or", ColumnType.TIMESTAMP, "timestamp", true, 20),
                            new Column("select", ColumnType.BOOLEAN, "boolean", true, 20)),
                    List.of(),
                    false);
    private static final String[] PIECES = {
        "a",
        "\"",
        "\\",
        ",",
        "(",
        ")",
        ".",
        " ",
        "+",
        "%",
        "&",
        "=",
        "\u20AC",
        "\uD83D\uDE00",
        "'",
        ";",
        "null",
        "not.",
        "and("
    };
    private static final Map<Predicate.Comparator, String> OPERATORS =
            Map.of(
                    Predicate.Comparator.EQUAL, "eq",
                    Predicate.Comparator.NOT_EQUAL, "isdistinct",
                    Predicate.Comparator.LESS, "lt",
                    Predicate.Comparator.LESS_OR_EQUAL, "lte",
                    Predicate.Comparator.GREATER, "gt",
                    Predicate.Comparator.GREATER_OR_EQUAL, "gte");

    private Random random = new Random(0);

    @Test
    void predicate_writtenAsUrl_isReadBackEqual() {
        long first =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        for (long seed = first; seed < first + 3000; seed++) {
            random = new Random(seed);
            writeAndRead(seed);
        }
    }

    private void writeAndRead(long seed) {
        List<Predicate> all = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            all.add(predicate(random.nextInt(4)));
        }
        String query = all.stream().map(this::parameter).collect(Collectors.joining("&"));
        SchemaNames names = new SchemaNames(new Schema(List.of(TABLE), false), "/api");
        Predicate read =
                new PlanGrammar(names, TABLE, Integer.MAX_VALUE)
                        .plan(query, RequestHead.parameters(query))
                        .filter();
        assertThat(read)
                .as("-Dpenstock.seed=%d: %s", seed, query)
                .isEqualTo(all.size() == 1 ? all.getFirst() : new Predicate.And(all));
    }

    private Predicate predicate(int depth) {
        Column column = TABLE.columns().get(random.nextInt(TABLE.columns().size()));
        return switch (random.nextInt(depth > 0 ? 7 : 4)) {
            case 0 -> new Predicate.IsNull(column.name());
            case 1 -> {
                List<Object> values = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    values.add(value(column));
                }
                yield new Predicate.In(column.name(), values);
            }
            case 2, 3 -> {
                Predicate.Comparator[] all = Predicate.Comparator.values();
                yield new Predicate.Comparison(
                        column.name(), all[random.nextInt(all.length)], value(column));
            }
            case 4 -> new Predicate.And(some(depth));
            case 5 -> new Predicate.Or(some(depth));
            default -> {
                Predicate inner = predicate(depth - 1);
                yield negated(inner);
            }
        };
    }

    /** The negation as it is read: of what is never unknown, the complement. */
    private static Predicate negated(Predicate inner) {
        boolean known =
                inner instanceof Predicate.IsNull
                        || (inner instanceof Predicate.Comparison c
                                && c.comparator() == Predicate.Comparator.NOT_EQUAL);
        return switch (inner) {
            case Predicate.Not _, Predicate.SqlNot _ -> inner;
            default -> known ? new Predicate.Not(inner) : new Predicate.SqlNot(inner);
        };
    }

    private static Predicate positive(Predicate predicate) {
        return switch (predicate) {
            case Predicate.Not(Predicate inner) -> inner;
            case Predicate.SqlNot(Predicate inner) -> inner;
            default -> predicate;
        };
    }

    /** {@code not.eq} or {@code neq}, which are the same. */
    private String operation(Predicate.Comparison comparison, String not) {
        boolean unequal =
                comparison.comparator() == Predicate.Comparator.EQUAL
                        && !not.isEmpty()
                        && random.nextBoolean();
        return unequal ? "neq" : not + OPERATORS.get(comparison.comparator());
    }

    private List<Predicate> some(int depth) {
        List<Predicate> some = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            some.add(predicate(depth - 1));
        }
        return some;
    }

    private Object value(Column column) {
        return switch (column.type()) {
            case LONG -> random.nextLong();
            case DECIMAL -> BigDecimal.valueOf(random.nextLong(), random.nextInt(5));
            case TIMESTAMP ->
                    LocalDateTime.of(
                            2000 + random.nextInt(50), 1, 2, 3, 4, 5, random.nextInt(1000) * 1000);
            case BOOLEAN -> random.nextBoolean();
            default -> {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(6); i > 0; i--) {
                    text.append(PIECES[random.nextInt(PIECES.length)]);
                }
                yield text.toString();
            }
        };
    }

    /**
     * A tree as {@code and=} or {@code or=}; a condition as a parameter of its own, or the only one of its kind in a
     * tree.
     */
    private String parameter(Predicate predicate) {
        Predicate inner = positive(predicate);
        String not = inner.equals(predicate) ? "" : "not.";
        return switch (inner) {
            case Predicate.And and -> not + "and=" + encoded("(" + list(and.all()) + ")");
            case Predicate.Or or -> not + "or=" + encoded("(" + list(or.any()) + ")");
            case Predicate.Comparison c ->
                    condition(c.column(), operation(c, not) + "." + plain(c.value()));
            case Predicate.In in -> condition(in.column(), not + "in." + values(in));
            case Predicate.IsNull is -> condition(is.column(), not + "is.null");
            case Predicate.Not _,
                    Predicate.SqlNot _,
                    Predicate.InSubquery _,
                    Predicate.Text _,
                    Predicate.Matches _,
                    Predicate.Relation _ ->
                    throw new AssertionError(predicate);
        };
    }

    /** A parameter with a column's name; columns that are called like reserved words are found ignoring case. */
    private String condition(String column, String operation) {
        String name =
                column.equals("or") || column.equals("select")
                        ? column.toUpperCase(Locale.ROOT)
                        : column;
        return encoded(name) + "=" + encoded(operation);
    }

    private String list(List<Predicate> all) {
        return all.stream()
                .map(this::element)
                .collect(Collectors.joining(random.nextBoolean() ? "," : ", "));
    }

    private String element(Predicate predicate) {
        Predicate inner = positive(predicate);
        String not = inner.equals(predicate) ? "" : "not.";
        return switch (inner) {
            case Predicate.And and -> not + "and(" + list(and.all()) + ")";
            case Predicate.Or or -> not + "or(" + list(or.any()) + ")";
            case Predicate.Comparison c ->
                    quoted(c.column()) + "." + operation(c, not) + "." + quoted(plain(c.value()));
            case Predicate.In in -> quoted(in.column()) + "." + not + "in." + values(in);
            case Predicate.IsNull is -> quoted(is.column()) + "." + not + "is.null";
            case Predicate.Not _,
                    Predicate.SqlNot _,
                    Predicate.InSubquery _,
                    Predicate.Text _,
                    Predicate.Matches _,
                    Predicate.Relation _ ->
                    throw new AssertionError(predicate);
        };
    }

    private static String values(Predicate.In in) {
        return in.values().stream()
                .map(value -> quoted(plain(value)))
                .collect(Collectors.joining(",", "(", ")"));
    }

    private static String plain(Object value) {
        return value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
    }

    private static String quoted(String text) {
        boolean needed = !text.matches("[A-Za-z0-9_:-]+");
        return needed ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"' : text;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
