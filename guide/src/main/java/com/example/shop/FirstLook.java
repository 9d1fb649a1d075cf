package com.example.shop;

import dev.penstock.gateway.Gateway;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.Plan;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.snapshot.Snapshot;
import java.time.Duration;
import javax.sql.DataSource;

/** The program of the README: rows over HTTP, a request that waits, a stream as SQL and from memory. */
public final class FirstLook {
    private FirstLook() {}

    // region routes
    static ServerBuilder routes(DataSource dataSource) {
        Database database = Database.connect(dataSource); // the dialect is recognised
        Plan purchases = Plan.of(database.table("purchase"));
        return Server.builder()
                .get( // JSON, NDJSON, CSV, HTML or XML, as asked
                        "/purchases",
                        exchange -> Gateway.respond(exchange, () -> database.open(purchases)))
                .get( // no thread waits
                        "/later",
                        exchange ->
                                exchange.suspend(Duration.ofSeconds(30))
                                        .resumeAfter(
                                                Duration.ofSeconds(1),
                                                later ->
                                                        later.respond(200, "text/plain", "hello")));
    }

    // end

    // region streams
    static long openPurchases(Database database) {
        TypedTable<Purchase> purchases = database.table(Purchase.TABLE);
        return purchases.stream()
                .filter(Purchase.STATUS.equal("open"))
                .count(); // SELECT COUNT(*) … WHERE …
    }

    static long openPurchasesInMemory(Database database) {
        try (Snapshot snapshot = Snapshot.load(database, Purchase.TABLE)) {
            TypedTable<Purchase> purchases = snapshot.table(Purchase.TABLE);
            return purchases.stream().filter(Purchase.STATUS.equal("open")).count(); // no SQL
        }
    }
    // end
}
