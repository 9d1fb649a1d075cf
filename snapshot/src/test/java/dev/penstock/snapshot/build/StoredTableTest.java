package dev.penstock.snapshot.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Evaluation;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.Values;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.snapshot.Edges;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A table in memory has what the database's cursor gives, in the order of its key, and its codes are in the order of
 * the values.
 */
public class StoredTableTest {
    private static final Memory MEMORY = new Memory(Long.MAX_VALUE);

    @ParameterizedTest
    @EnumSource(Kind.class)
    void build_ofEveryTypeAtItsEdges_givesWhatTheCursorGives(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            Edges.create(server);
            Database database = Database.connect(server.dataSource());
            Table table = database.table("edges");
            StoredTable stored = stored(database, table);
            requireSame(database, table, stored);
            for (StoredColumn column : stored.columns()) {
                requireCodesInOrder(column);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void build_ofNoRows_isEmpty(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            Edges.create(server);
            Edges.clear(server);
            Database database = Database.connect(server.dataSource());
            Table table = database.table("edges");
            StoredTable stored = stored(database, table);
            assertThat(stored.rows()).isZero();
            for (StoredColumn column : stored.columns()) {
                assertThat(column.rows()).isZero();
                assertThat(column.hasNulls()).isFalse();
            }
        }
    }

    public static StoredTable stored(Database database, Table table) {
        try (TableBuilder builder = new TableBuilder(table, MEMORY);
                Cursor cursor = database.open(Plan.of(table))) {
            return builder.addAll(cursor).build();
        }
    }

    /** Every cell, by its text and by its typed getter, in the order of the key. */
    public static void requireSame(Database database, Table table, StoredTable stored) {
        List<Plan.Order> key =
                table.primaryKey().stream()
                        .map(name -> new Plan.Order(name, false, false))
                        .toList();
        List<CellReader> readers =
                stored.columns().stream().map(c -> new CellReader(c, table.name())).toList();
        int row = 0;
        try (Cursor cursor = database.open(Plan.of(table).orderBy(key))) {
            while (cursor.next()) {
                for (int i = 0; i < readers.size(); i++) {
                    StoredColumn column = stored.columns().get(i);
                    CellReader reader = readers.get(i);
                    long cell = column.cell(row);
                    String where = "row %d, %s".formatted(row, column.column());
                    assertThat(reader.isNull(cell)).as(where).isEqualTo(cursor.isNull(i));
                    assertThat(column.isNull(row)).as(where).isEqualTo(cursor.isNull(i));
                    assertThat(reader.getString(cell)).as(where).isEqualTo(cursor.getString(i));
                    int index = i;
                    assertThat(attempt(() -> reader.value(cell)))
                            .as(where)
                            .isEqualTo(attempt(() -> Rows.value(cursor, index)));
                    requireSameNumbers(cursor, i, reader, cell, where);
                }
                row++;
            }
        }
        assertThat(stored.rows()).isEqualTo(row);
    }

    private static void requireSameNumbers(
            Cursor cursor, int index, CellReader reader, long cell, String where) {
        ColumnType type = cursor.columns().get(index).type();
        if (!type.isNumeric()) {
            return;
        }
        assertThat(reader.getFloat(cell)).as(where).isEqualTo((Float) cursor.getFloat(index));
        if (type != ColumnType.FLOAT) {
            assertThat(reader.getDouble(cell))
                    .as(where)
                    .isEqualTo((Double) cursor.getDouble(index));
        }
        if (!type.isFloating()) {
            assertThat(attempt(() -> reader.getDecimal(cell)))
                    .as(where)
                    .isEqualTo(attempt(() -> cursor.getDecimal(index)));
        }
    }

    private interface Attempt {
        Object make();
    }

    /** What it gives, or what it says when it fails. */
    private static Object attempt(Attempt attempt) {
        try {
            Object value = attempt.make();
            return value instanceof byte[] bytes ? Arrays.toString(bytes) : value;
        } catch (QueryException e) {
            return e.kind() + ": " + e.getMessage();
        }
    }

    /** Each value, compared with every cell by codes and by what values mean. */
    private static void requireCodesInOrder(StoredColumn stored) {
        if (!(stored instanceof CodedColumn column)) {
            return;
        }
        CellReader reader = new CellReader(column, "edges");
        List<Object> values = new ArrayList<>();
        for (int row = 0; row < column.rows(); row++) {
            long cell = column.cell(row);
            Object shown = attempt(() -> reader.value(cell));
            values.add(
                    shown instanceof String text && text.startsWith("DATABASE")
                            ? null
                            : reader.value(cell));
        }
        for (Object value : values) {
            if (value == null) {
                continue;
            }
            Object fitted = Values.fit(column.column(), value);
            for (Comparator comparator : Comparator.values()) {
                if (comparator == Comparator.NOT_EQUAL) {
                    continue;
                }
                CodeRange codes = column.codes(comparator, fitted);
                for (int row = 0; row < column.rows(); row++) {
                    Object cell = values.get(row);
                    if (cell != null) {
                        assertThat(codes.contains(column.cell(row)))
                                .as("%s: %s %s %s", column.column(), cell, comparator, value)
                                .isEqualTo(holds(cell, comparator, value));
                    }
                }
            }
        }
    }

    private static boolean holds(Object cell, Comparator comparator, Object value) {
        int compared = Evaluation.compare(cell, value);
        return switch (comparator) {
            case EQUAL -> compared == 0;
            case NOT_EQUAL -> compared != 0;
            case LESS -> compared < 0;
            case LESS_OR_EQUAL -> compared <= 0;
            case GREATER -> compared > 0;
            case GREATER_OR_EQUAL -> compared >= 0;
        };
    }
}
