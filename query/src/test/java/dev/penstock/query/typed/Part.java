package dev.penstock.query.typed;

import dev.penstock.databases.TestDatabase;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.TextField;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A row that refers to a thing, or to none. */
record Part(int id, Integer thing, String name, long size) {
    static final IntField<Part> ID = IntField.of(Part.class, "id", Part::id);
    static final IntField<Part> THING = IntField.nullable(Part.class, "thing", Part::thing);
    static final TextField<Part> NAME = TextField.nullable(Part.class, "name", Part::name);
    static final LongField<Part> SIZE = LongField.of(Part.class, "size", Part::size);
    static final Entity<Part> TABLE =
            Entity.of(
                    Part.class,
                    "part",
                    row ->
                            new Part(
                                    row.getInt(0),
                                    row.isNull(1) ? null : row.getInt(1),
                                    row.getString(2),
                                    row.getLong(3)),
                    List.of(ID, THING, NAME, SIZE),
                    List.of(ID));

    /** Ninety parts; every sixth refers to nothing, and some to things that are not there. */
    static final List<Part> LIST =
            IntStream.range(0, 90)
                    .mapToObj(i ->
                            new Part(
                                    i,
                                    i % 6 == 0 ? null : i * 7 % 50,
                                    i % 8 == 0 ? null : "name " + i % 4,
                                    i))
                    .toList();

    /** Makes the tables of things and of parts, and connects. */
    static Database connected(TestDatabase server) throws SQLException {
        Things.create(server, StreamConformanceTest.LIST);
        server.execute(
                "create table part (id int primary key, thing int, name varchar(40), size bigint not null)");
        List<String> rows = new ArrayList<>();
        for (Part p : LIST) {
            rows.add(
                    "(%d, %s, %s, %d)"
                            .formatted(
                                    p.id,
                                    p.thing,
                                    p.name == null ? "null" : "'" + p.name + "'",
                                    p.size));
        }
        server.execute("insert into part values " + String.join(", ", rows));
        return Database.connect(server.dataSource());
    }
}
