package dev.penstock.snapshot.shortcut;

import dev.penstock.query.Column;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.RowReader;
import dev.penstock.query.typed.mapping.FieldReaders;
import dev.penstock.snapshot.column.CellCursor;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The different values of a field's column, in their order. Immutable, thread-safe.
 *
 * @param values a list that can't be changed; null where there are too many, or they are not told by their codes
 */
record DistinctValues(@Nullable List<?> values) {
    /** No more values than this are kept. */
    private static final int MOST = 256;

    /** No more codes than this are looked at. */
    private static final int MOST_CODES = 4096;

    /** Returns those of a column; null where counts of its codes are being built, or there is no memory for them. */
    static @Nullable DistinctValues of(Field<?, ?> field, IndexedColumn column) {
        if (!(column.stored() instanceof CodedColumn coded)
                || coded.hasNulls()
                || coded.hasEquals()) {
            return new DistinctValues(null);
        }
        // Less than 1 is more than a long has.
        long span = coded.rows() == 0 ? 0 : coded.span();
        if (coded.rows() > 0 && (span < 1 || span > MOST_CODES)) {
            return new DistinctValues(null);
        }
        Codes codes = new Codes(column);
        RowReader<?> reader = FieldReaders.reader(field, 0);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < span; i++) {
            long code = coded.values().least() + i;
            long count = column.count(CodeRange.of(code, code));
            if (count < 0) {
                return null;
            }
            if (count > 0) {
                if (values.size() == MOST) {
                    return new DistinctValues(null);
                }
                codes.code = code;
                values.add(reader.read(codes));
            }
        }
        return new DistinctValues(Collections.unmodifiableList(values));
    }

    /** A cursor of a column whose present cell has a code. */
    private static final class Codes extends CellCursor {
        private final CodedColumn stored;
        private final CellReader reader;
        private long code;

        Codes(IndexedColumn column) {
            stored = (CodedColumn) column.stored();
            reader = column.reader();
        }

        @Override
        public List<Column> columns() {
            return List.of(stored.column());
        }

        @Override
        public boolean next() {
            throw new UnsupportedOperationException("it is on a code always");
        }

        @Override
        protected CellReader reader(int column) {
            return reader;
        }

        @Override
        protected long cell(int column) {
            return stored.cellOf(code);
        }

        @Override
        public void cancel() {
            // There is nothing to wait for.
        }

        @Override
        public void close() {
            // There is nothing to give back.
        }
    }
}
