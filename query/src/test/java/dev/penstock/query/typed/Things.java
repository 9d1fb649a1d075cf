package dev.penstock.query.typed;

import dev.penstock.databases.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Rows of {@link Thing}, as a list and in a database. */
final class Things {
    private Things() {}

    /** A few whose values repeat, with nulls among them. */
    static List<Thing> some(int count) {
        List<Thing> things = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            things.add(
                    new Thing(
                            id,
                            id % 7 == 0 ? null : "name " + id % 10,
                            id % 5 == 0 ? null : 40 + id * 37 % 60,
                            id * 1_000_000_007L,
                            id % 4 == 0 ? null : id / 8.0,
                            id / 4f,
                            id % 3 == 0,
                            (char) ('a' + id % 6),
                            id % 6 == 0 ? null : java.math.BigDecimal.valueOf(id * 11 % 300, 2),
                            id % 9 == 0 ? null : java.time.LocalDate.of(2026, 1, 1 + id % 28),
                            id % 4 == 0
                                    ? null
                                    : id % 3 == 0
                                            ? Thing.Color.RED
                                            : id % 3 == 1 ? Thing.Color.BLUE : Thing.Color.AMBER,
                            id % 5 == 1 ? null : new byte[] {(byte) id}));
        }
        return things;
    }

    static void create(TestDatabase server, List<Thing> things) throws SQLException {
        String bytes =
                switch (server.kind()) {
                    case POSTGRESQL -> "bytea";
                    case H2, MARIADB, MYSQL -> "varbinary(100)";
                };
        String single =
                switch (server.kind()) {
                    case POSTGRESQL, H2 -> "real";
                    case MARIADB, MYSQL -> "float";
                };
        server.execute(
                "create table thing (id int primary key, name varchar(40), length int, size bigint not null,"
                        + " weight double precision, ratio "
                        + single
                        + " not null, active boolean not null,"
                        + " grade varchar(1) not null, price decimal(8,2), made_on date, color varchar(10), picture "
                        + bytes
                        + ")");
        try (Connection connection = server.connect();
                PreparedStatement insert =
                        connection.prepareStatement(
                                "insert into thing values (?,?,?,?,?,?,?,?,?,?,?,?)")) {
            for (Thing t : things) {
                Object[] cells = {
                    t.id(),
                    t.name(),
                    t.length(),
                    t.size(),
                    t.weight(),
                    t.ratio(),
                    t.active(),
                    Character.toString(t.grade()),
                    t.price(),
                    t.day(),
                    t.color() == null ? null : t.color().text(),
                    t.picture()
                };
                for (int i = 0; i < cells.length; i++) {
                    insert.setObject(i + 1, cells[i]);
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}
