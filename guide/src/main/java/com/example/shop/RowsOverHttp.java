package com.example.shop;

import dev.penstock.format.RowFormat;
import dev.penstock.gateway.Gateway;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.sql.Database;
import java.math.BigDecimal;

/** Page 1 of the guide: rows of a database over HTTP. */
public final class RowsOverHttp {
    private RowsOverHttp() {}

    // region main
    public static void main(String[] arguments) {
        Database database = Database.connect(Shop.source(Shop.URL));
        Server server = server(database).port(8080).start();
        System.out.println("http://127.0.0.1:" + server.port() + "/purchases");
    }

    static ServerBuilder server(Database database) {
        Plan purchases = Plan.of(database.table("purchase"));
        Plan large =
                purchases.where(
                        new Predicate.Comparison(
                                "TOTAL", Predicate.Comparator.GREATER, new BigDecimal("999")));
        return Server.builder()
                .get(
                        "/purchases",
                        exchange -> Gateway.respond(exchange, () -> database.open(purchases)))
                .get(
                        "/large.csv",
                        exchange -> {
                            try (Cursor rows = database.open(large)) {
                                exchange.onDisconnect(rows::cancel);
                                RowFormat.CSV.write(rows, exchange.body("text/csv"));
                            }
                        });
    }

    // end

    // region mount
    static ServerBuilder wholeSchema(Database database) {
        return Gateway.builder(database).build().mount(server(database));
    }
    // end
}
