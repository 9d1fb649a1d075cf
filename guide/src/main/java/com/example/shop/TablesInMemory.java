package com.example.shop;

import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.snapshot.PinnedVersion;
import dev.penstock.snapshot.Snapshot;
import java.time.Duration;

/** Page 3 of the guide: the same streams, from memory. */
public final class TablesInMemory {
    private TablesInMemory() {}

    // region main
    public static void main(String[] arguments) {
        Database database = Database.connect(Shop.source(Shop.URL));
        try (Snapshot snapshot = Snapshot.load(database, Purchase.TABLE, Customer.TABLE)) {
            TypedTable<Purchase> purchases = snapshot.table(Purchase.TABLE);
            long open = purchases.stream().filter(Purchase.STATUS.equal("open")).count();
            System.out.println(open + " purchases are open");
            System.out.println(openShare(snapshot) + " of all");
        }
    }

    // end

    // region pin
    static double openShare(Snapshot snapshot) {
        try (PinnedVersion pinned = snapshot.pin()) {
            TypedTable<Purchase> purchases = pinned.table(Purchase.TABLE);
            long open = purchases.stream().filter(Purchase.STATUS.equal("open")).count();
            long all = purchases.stream().count();
            return (double) open / all; // both counts are of one version
        }
    }

    // end

    // region settings
    static Snapshot configured(Database database) {
        Snapshot snapshot =
                Snapshot.of(database)
                        .table(Purchase.TABLE)
                        .table(Customer.TABLE)
                        .memory(256L << 20) // bytes, outside the heap
                        .load();
        snapshot.refreshEvery(Duration.ofMinutes(5));
        return snapshot;
    }
    // end
}
