package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A native enum is a text: by its labels, whatever their place in the declaration and whatever it is compared with. */
class EnumColumnTest {
    /** What differs in case, spaces, accents or quotes alone is no enum that an index may be asked about on MariaDB. */
    private static final List<String> LABELS = List.of("z", "PG-13", "it's", "a b", "A", "10", "9");

    private static final List<String> ODD = List.of("é", "b\\", "%", "ÿ z");

    private static final List<String> OTHERS =
            List.of("pg-13", "z ", "", "nothing", "é", "e", "'", "%", "b\\\\");

    @ParameterizedTest
    @EnumSource(Kind.class)
    void conditions_onPlainLabels_areThoseOfTexts(Kind kind) {
        check(kind, LABELS);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void conditions_onOddLabels_areThoseOfTexts(Kind kind) {
        check(kind, ODD);
    }

    private static void check(Kind kind, List<String> labels) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            List<String> cells = create(server, labels);
            Database database = Database.connect(server.pooled());
            Table table = database.table("graded");
            String grade = table.columns().get(1).name();
            List<Object> compared = new ArrayList<>(labels);
            compared.addAll(OTHERS);
            for (Object value : compared) {
                for (Comparator by : Comparator.values()) {
                    Predicate condition = new Predicate.Comparison(grade, by, value);
                    long expected =
                            cells.stream().filter(cell -> holds(cell, by, (String) value)).count();
                    assertThat(count(database, table, condition))
                            .as("%s %s of %s", by, value, kind)
                            .isEqualTo(expected);
                }
            }
            for (List<Object> some :
                    List.of(
                            List.<Object>of(labels.get(0), labels.get(2)),
                            List.<Object>of(labels.get(1), "nothing"),
                            List.<Object>of("nothing"))) {
                long in =
                        cells.stream().filter(cell -> cell != null && some.contains(cell)).count();
                Predicate condition = new Predicate.In(grade, some);
                assertThat(count(database, table, condition)).as("in %s", some).isEqualTo(in);
                assertThat(count(database, table, new Predicate.Not(condition)))
                        .as("not in %s", some)
                        .isEqualTo(cells.size() - in);
            }
            groups(database, table, cells);
        }
    }

    private static List<String> create(TestDatabase server, List<String> labels) {
        String list =
                String.join(
                        ", ",
                        labels.stream()
                                .map(label -> "'" + literal(server.kind(), label) + "'")
                                .toList());
        boolean isType = server.kind() == Kind.POSTGRESQL;
        if (isType) {
            server.execute("create type \"Grade's\" as enum (" + list + ")");
        }
        String type = isType ? "\"Grade's\"" : "enum (" + list + ")";
        server.execute("create table graded (id int primary key, grade " + type + ")");
        List<String> cells = new ArrayList<>();
        for (int id = 0; id < 3 * labels.size() + 2; id++) {
            String label = id % 4 == 3 ? null : labels.get(id % labels.size());
            cells.add(label);
            String cell = label == null ? "null" : "'" + literal(server.kind(), label) + "'";
            server.execute("insert into graded values (%d, %s)".formatted(id, cell));
        }
        return cells;
    }

    private static String literal(Kind kind, String text) {
        String quoted = text.replace("'", "''");
        return kind == Kind.MARIADB || kind == Kind.MYSQL ? quoted.replace("\\", "\\\\") : quoted;
    }

    private static boolean holds(String cell, Comparator by, String value) {
        if (cell == null) {
            return by == Comparator.NOT_EQUAL;
        }
        int compared = cell.compareTo(value);
        return switch (by) {
            case EQUAL -> compared == 0;
            case NOT_EQUAL -> compared != 0;
            case LESS -> compared < 0;
            case LESS_OR_EQUAL -> compared <= 0;
            case GREATER -> compared > 0;
            case GREATER_OR_EQUAL -> compared >= 0;
        };
    }

    private static long count(Database database, Table table, Predicate condition) {
        Plan plan = Plan.of(table).where(condition).count();
        return Long.parseLong(Rows.texts(database, plan).getFirst().getFirst());
    }

    private static void groups(Database database, Table table, List<String> cells) {
        Map<String, Long> counted =
                new TreeMap<>(java.util.Comparator.nullsLast(java.util.Comparator.naturalOrder()));
        cells.forEach(cell -> counted.merge(cell, 1L, Long::sum));
        List<List<String>> expected = new ArrayList<>();
        counted.forEach((label, count) -> expected.add(Arrays.asList(label, count.toString())));
        String name = table.columns().get(1).name();
        List<Plan.Item> grade = List.of(new Plan.Item(name, "grade"));
        Plan grouped = Plan.of(table).aggregate(grade, List.of(Aggregate.count("n")));
        assertThat(Rows.texts(database, grouped)).containsExactlyInAnyOrderElementsOf(expected);
        List<List<String>> labels = expected.stream().map(row -> row.subList(0, 1)).toList();
        Plan distinct = Plan.of(table).distinct(grade);
        assertThat(Rows.texts(database, distinct)).containsExactlyInAnyOrderElementsOf(labels);
        Plan ordered = distinct.orderBy(List.of(new Plan.Order("grade", false, false)));
        assertThat(Rows.texts(database, ordered)).isEqualTo(labels);
    }
}
