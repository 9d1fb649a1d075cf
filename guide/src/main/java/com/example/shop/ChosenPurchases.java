package com.example.shop;

import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.snapshot.Snapshot;
import java.math.BigDecimal;
import java.time.LocalDate;

/** Page 3 of the guide: some rows and columns in memory, with an index that is there from the beginning. */
public final class ChosenPurchases {
    private ChosenPurchases() {}

    // region main
    public static void main(String[] arguments) {
        Database database = Database.connect(Shop.source(Shop.URL));
        try (Snapshot snapshot = sinceJuly(database)) {
            TypedTable<Purchase> purchases = snapshot.table(Purchase.TABLE);
            long large =
                    purchases.stream()
                            .filter(Purchase.PLACED.greaterOrEqual(LocalDate.of(2026, 8, 1)))
                            .filter(Purchase.TOTAL.greaterThan(new BigDecimal(990)))
                            .count();
            System.out.println(large + " large purchases since August, from memory");
            System.out.println(purchases.stream().count() + " purchases, from the database:");
            System.out.println(purchases.explain(stream -> stream.count()));
        }
    }

    // end

    // region choose
    static Snapshot sinceJuly(Database database) {
        LocalDate july = LocalDate.of(2026, 7, 1);
        return Snapshot.of(database)
                .table(
                        Purchase.TABLE
                                .where(Purchase.PLACED.greaterOrEqual(july))
                                .columns(Purchase.STATUS, Purchase.TOTAL))
                .index(Purchase.TABLE, Purchase.TOTAL)
                .load();
    }
    // end
}
