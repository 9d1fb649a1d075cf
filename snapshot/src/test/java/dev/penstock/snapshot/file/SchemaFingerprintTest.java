package dev.penstock.snapshot.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.NativeType;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import dev.penstock.snapshot.column.HeldPart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Fingerprints of what is in memory of a table. */
class SchemaFingerprintTest {
    private static Column column(ColumnType type, String declared, NativeType nativeType) {
        return new Column("a", type, declared, true, 100, nativeType);
    }

    private static String of(Table table, Predicate rows) {
        return SchemaFingerprint.of("database", HeldPart.of(table, Set.of(), rows));
    }

    private static Table table(Column column, String... key) {
        return new Table("shop", "things", List.of(column), List.of(key), false);
    }

    @Test
    void part_ofAnyDifference_hasAnotherFingerprint() {
        Column text = column(ColumnType.TEXT, "text", NativeType.CANONICAL);
        List<String> all = new ArrayList<>();
        for (Table table :
                List.of(
                        table(text),
                        table(text, "a"),
                        new Table("other", "things", List.of(text), List.of(), false),
                        table(column(ColumnType.TEXT, "varchar(9)", NativeType.CANONICAL)),
                        table(column(ColumnType.OTHER, "text", NativeType.CANONICAL)),
                        table(
                                column(
                                        ColumnType.TEXT,
                                        "text",
                                        NativeType.ofLabels(List.of("x", "y")))),
                        table(
                                column(
                                        ColumnType.TEXT,
                                        "text",
                                        NativeType.ofLabels(List.of("y", "x")))))) {
            all.add(of(table, Predicate.ALL));
        }
        for (Predicate rows :
                List.of(
                        new Predicate.In("a", List.of("Rock, Pop")),
                        new Predicate.In("a", List.of("Rock", "Pop")),
                        equal("1"),
                        equal(1),
                        equal(1L),
                        equal(new BigDecimal("1")),
                        equal(new BigDecimal("1.0")),
                        equal(new byte[] {1}),
                        equal(new byte[] {2}),
                        equal(new byte[] {1, 2}),
                        equal("0102"),
                        new Predicate.Not(equal("1")),
                        new Predicate.SqlNot(equal("1")),
                        new Predicate.And(List.of(equal("1"), equal("2"))),
                        new Predicate.Or(List.of(equal("1"), equal("2"))),
                        new Predicate.IsNull("a"))) {
            all.add(of(table(text), rows));
        }
        all.add(SchemaFingerprint.of("other", HeldPart.of(table(text), Set.of(), Predicate.ALL)));
        assertThat(all).doesNotHaveDuplicates().allMatch(each -> each.matches("[0-9a-f]{64}"));
    }

    @Test
    void part_ofEqualValues_hasTheSame() {
        Column text = column(ColumnType.TEXT, "text", NativeType.CANONICAL);
        assertThat(of(table(text), equal(new byte[] {1, 2})))
                .isEqualTo(of(table(text), equal(new byte[] {1, 2})));
        // A set has another sequence in each process.
        assertThat(of(table(text), new Predicate.In("a", List.of("Rock", "Pop"))))
                .isEqualTo(of(table(text), new Predicate.In("a", List.of("Pop", "Rock"))));
        assertThat(of(table(text), new Predicate.Or(List.of(equal(1), equal(2)))))
                .isEqualTo(of(table(text), new Predicate.Or(List.of(equal(2), equal(1)))));
    }

    private static Predicate equal(Object value) {
        return new Predicate.Comparison("a", Comparator.EQUAL, value);
    }
}
