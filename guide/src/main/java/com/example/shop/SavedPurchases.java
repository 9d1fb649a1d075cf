package com.example.shop;

import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Path;

/** Page 3 of the guide: tables in memory that are there at once after a restart. */
public final class SavedPurchases {
    private SavedPurchases() {}

    // region main
    public static void main(String[] arguments) throws IOException {
        Database database = Database.connect(Shop.source(Shop.URL));
        try (Snapshot first = load(database)) {
            first.save();
        }
        // After a restart:
        try (Snapshot second = load(database)) {
            long all = second.table(Purchase.TABLE).stream().count();
            System.out.println(all + " purchases, from a file: " + second.isFromFile());
            second.refresh();
            System.out.println("brought up to date: " + !second.isFromFile());
        }
    }

    private static Snapshot load(Database database) {
        return Snapshot.of(database)
                .table(Purchase.TABLE)
                .file(Path.of("purchases.penstock"))
                .load();
    }
    // end
}
