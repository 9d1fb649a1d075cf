package com.example.shop;

import static dev.penstock.query.typed.aggregate.Aggregates.count;
import static dev.penstock.query.typed.aggregate.Aggregates.groupingBy;

import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Page 2 of the guide: java.util.stream over tables. */
public final class TypedStreams {
    private TypedStreams() {}

    // region main
    public static void main(String[] arguments) {
        Database database = Database.connect(Shop.source(Shop.URL));
        TypedTable<Purchase> purchases = database.table(Purchase.TABLE);
        TypedTable<Customer> customers = database.table(Customer.TABLE);

        long open = purchases.stream().filter(Purchase.STATUS.equal("open")).count();
        System.out.println(open + " purchases are open");

        purchases.stream()
                .sorted(Purchase.TOTAL.reversed())
                .limit(2)
                .forEach(purchase -> System.out.println(purchase.id() + ": " + purchase.total()));

        Map<String, Long> byStatus =
                purchases.stream().collect(groupingBy(Purchase.STATUS, count()));
        System.out.println(byStatus.get("paid") + " are paid");

        Purchase first = purchases.stream().sorted(Purchase.ID).findFirst().orElseThrow();
        Customer buyer = Purchase.CUSTOMER.of(first, customers).orElseThrow();
        System.out.println(buyer.name() + " of " + buyer.city() + " bought first");

        System.out.println(inTheJvm(purchases));
        System.out.println(explained(purchases));
    }

    // end

    // region lambda
    static List<Integer> inTheJvm(TypedTable<Purchase> purchases) {
        return purchases.stream()
                .filter(Purchase.STATUS.equal("open")) // the database's
                .filter(purchase -> purchase.total().scale() == 2) // code: from here on, the JVM's
                .map(Purchase::id)
                .limit(3)
                .toList();
    }

    // end

    // region explain
    static String explained(TypedTable<Purchase> purchases) {
        return purchases.explain(stream ->
                stream.filter(Purchase.TOTAL.lessThan(new BigDecimal("5")))
                        .sorted(Purchase.PLACED)
                        .limit(10)
                        .toList());
    }
    // end
}
