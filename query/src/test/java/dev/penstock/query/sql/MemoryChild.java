package dev.penstock.query.sql;

import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Utf8;

/** Reads a table in a small heap, and says how much the live heap grew from the first rows on. */
final class MemoryChild {
    private MemoryChild() {}

    public static void main(String[] arguments) {
        Database database =
                Database.connect(new UrlDataSource(arguments[0], arguments[1], arguments[2]));
        long rows = 0;
        long bytes = 0;
        long least = Long.MAX_VALUE;
        long most = 0;
        try (Cursor cursor = database.open(Plan.of(database.table(arguments[3])))) {
            int width = cursor.columns().size();
            while (cursor.next()) {
                for (int i = 0; i < width; i++) {
                    Utf8 text = cursor.text(i);
                    bytes += text == null ? 0 : text.length();
                }
                if (rows % 200_000 == 1000) {
                    long live = live();
                    least = Math.min(least, live);
                    most = Math.max(most, live);
                }
                rows++;
            }
        }
        System.out.println(bytes + " bytes of text");
        System.out.println(rows + " rows, " + (most - least) + " bytes more");
        System.exit(0);
    }

    private static long live() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
