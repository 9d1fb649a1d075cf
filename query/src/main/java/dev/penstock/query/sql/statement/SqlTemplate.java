package dev.penstock.query.sql.statement;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The SQL of all plans of one shape in one dialect, without their values. Immutable but for {@code length}.
 *
 * @param table the innermost table
 * @param text the SQL
 * @param shown the same for people, with a {@code ?} for each value
 * @param bindings what it binds, in order
 * @param checks what is looked at before
 * @param columns the columns of the answer, under their labels
 * @param sources the same as the table has them
 * @param wide what the answer says of cells that are too wide
 * @param window where the values of the outermost skip and limit are
 * @param traits what else is to be known
 * @param layout the columns as a cursor has them
 * @param length what is learned of the answers
 */
public record SqlTemplate(
        SqlTable table,
        String text,
        String shown,
        List<Literals.Binding> bindings,
        List<SqlBuilder.Check> checks,
        List<Column> columns,
        List<SqlColumn> sources,
        WideColumns wide,
        WindowParameters window,
        Traits traits,
        ResultLayout layout,
        ResultSizePredictor length) {
    /**
     * Properties of a result.
     *
     * @param single whether it has one row at the most
     * @param plain whether no value in it is spelled as the session's settings say
     */
    public record Traits(boolean single, boolean plain) {}

    /** Decoded heap that one batch of rows may take, in bytes. */
    static final int BATCH_BYTES = 128 * 1024;

    /** Decoded heap that an answer may take which is had at once, in bytes. */
    private static final int AT_ONCE_BYTES = 2 << 20;

    private static final int MAX_ROWS_PER_BATCH = 512;

    public SqlTemplate {
        bindings = List.copyOf(bindings);
        checks = List.copyOf(checks);
        columns = List.copyOf(columns);
        sources = List.copyOf(sources);
    }

    public SqlQuery query(BoundComparison[] comparisons) {
        Object[] values = new Object[bindings.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = bindings.get(i).value(comparisons);
        }
        List<Object> checked =
                checks.isEmpty()
                        ? List.of()
                        : checks.stream().map(check -> check.binding().value(comparisons)).toList();
        return new SqlQuery(
                this, Arrays.asList(values), checked, skip(comparisons), rows(comparisons));
    }

    /** Returns how many rows the cursor leaves out. */
    public long skip(BoundComparison[] comparisons) {
        return window.skipsInCursor() ? count(comparisons, window.skip()) : 0;
    }

    /** Returns how many rows there are at the most; {@link Long#MAX_VALUE} where that is not known. */
    public long rows(BoundComparison[] comparisons) {
        if (traits.single()) {
            return 1;
        }
        return window.limit() < 0 ? Long.MAX_VALUE : count(comparisons, window.limit());
    }

    /** Returns the same, learning of the answers' length together with another. */
    public SqlTemplate sharing(ResultSizePredictor learned) {
        return new SqlTemplate(
                table, text, shown, bindings, checks, columns, sources, wide, window, traits,
                layout, learned);
    }

    public static long count(BoundComparison[] comparisons, int parameter) {
        return parameter < 0 ? 0 : (Long) ((BoundComparison.Bound) comparisons[parameter]).value();
    }

    /** Returns how many rows of the widest kind fit a batch; one at the least. */
    public int rowsPerBatch() {
        return Math.clamp(BATCH_BYTES / layout.rowBytes, 1, MAX_ROWS_PER_BATCH);
    }

    /** Returns how many rows of the widest kind an answer may have that is had at once. */
    public int rowsAtOnce() {
        return Math.clamp(AT_ONCE_BYTES / layout.rowBytes, 1, MAX_ROWS_PER_BATCH);
    }

    /** Returns whether columns of the answer, hidden ones included, are binary. */
    public boolean hasBinary() {
        return hasBinary(sources, wide);
    }

    public static boolean hasBinary(List<SqlColumn> sources, WideColumns wide) {
        return Stream.concat(sources.stream(), wide.key().stream())
                .anyMatch(source -> source.column().type() == ColumnType.BINARY);
    }
}
