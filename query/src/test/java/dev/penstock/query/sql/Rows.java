package dev.penstock.query.sql;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Reads whole answers, for tests. */
public final class Rows {
    private Rows() {}

    /** The canonical text of every cell. */
    public static List<List<String>> texts(Engine engine, Plan plan) {
        return texts(engine.open(plan));
    }

    /** The same of a cursor, which is closed. */
    public static List<List<String>> texts(Cursor opened) {
        List<List<String>> rows = new ArrayList<>();
        try (Cursor cursor = opened) {
            while (cursor.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 0; i < cursor.columns().size(); i++) {
                    row.add(cursor.getString(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    /** One cell as plans have values. */
    public static Object value(Cursor cursor, int index) {
        Column column = cursor.columns().get(index);
        if (cursor.isNull(index)) {
            return null;
        }
        return switch (column.type()) {
            case BOOLEAN -> cursor.getBoolean(index);
            case INT -> cursor.getInt(index);
            case LONG -> cursor.getLong(index);
            case DECIMAL -> cursor.getDecimal(index);
            case FLOAT -> cursor.getFloat(index);
            case DOUBLE -> cursor.getDouble(index);
            case TEXT, JSON, OTHER -> cursor.getString(index);
            case DATE -> cursor.getDate(index);
            case TIME -> cursor.getTime(index);
            case TIMESTAMP -> cursor.getTimestamp(index);
            case TIMESTAMP_UTC -> cursor.getInstant(index);
            case BINARY -> cursor.getBytes(index);
            case UUID -> UUID.fromString(cursor.getString(index));
        };
    }
}
