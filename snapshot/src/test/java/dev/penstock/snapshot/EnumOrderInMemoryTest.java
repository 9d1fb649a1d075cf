package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.NativeValue;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.IntField;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams sorted by an enum of the database, answered from memory where the table is there, as of its version. */
class EnumOrderInMemoryTest {
    private enum Size {
        small,
        medium,
        large
    }

    private record Shirt(int id, Size size) {
        static final IntField<Shirt> ID = IntField.of(Shirt.class, "id", Shirt::id);
        static final EnumField<Shirt, Size> SIZE =
                EnumField.of(
                        Shirt.class, "size", Size.class, Shirt::size, Size::name, Size::valueOf);
        static final Entity<Shirt> TABLE =
                Entity.of(
                        Shirt.class,
                        "shirt",
                        row -> new Shirt(row.getInt(0), Size.valueOf(row.getString(1))),
                        List.of(ID, SIZE),
                        List.of(ID));
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void sorted_byAnEnumOfTheDatabase_isOfTheVersionInMemory(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            String labels = "('small', 'medium', 'large')";
            boolean isType = kind == Kind.POSTGRESQL;
            if (isType) {
                server.execute("create type fit as enum " + labels);
            }
            server.execute(
                    "create table shirt (id int primary key, size %s not null)"
                            .formatted(isType ? "fit" : "enum " + labels),
                    "insert into shirt values (1, 'large'), (2, 'small'), (3, 'medium'), (4, 'small')");
            Database database = Database.connect(server.dataSource());
            FieldOrder<Shirt> order = Shirt.SIZE.thenComparing(Shirt.ID.reversed());
            assertThat(database.table(Shirt.TABLE).stream().sorted(order).map(Shirt.ID).toList())
                    .containsExactly(4, 2, 3, 1);
            try (Snapshot snapshot = Snapshot.load(database, Shirt.TABLE)) {
                server.execute("delete from shirt where id = 2");
                TypedTable<Shirt> shirts = snapshot.table(Shirt.TABLE);
                assertThat(shirts.stream().sorted(order).map(Shirt.ID).toList())
                        .containsExactly(4, 2, 3, 1);
                assertThat(shirts.stream().sorted(Shirt.SIZE.reversed()).limit(2).toList())
                        .containsExactly(new Shirt(1, Size.large), new Shirt(3, Size.medium));
                assertThat(database.table(Shirt.TABLE).stream().sorted(order).limit(2).toList())
                        .containsExactly(new Shirt(4, Size.small), new Shirt(3, Size.medium));
                requireEstimate(database, snapshot);
            }
        }
    }

    /** Requires the database's estimate for a condition on the enum, since only the database can compare its values. */
    private static void requireEstimate(Database database, Snapshot snapshot) {
        Table shirts = database.table("shirt");
        Predicate larger =
                new Predicate.Comparison(
                        shirts.columns().getLast().name(),
                        Predicate.Comparator.GREATER,
                        new NativeValue("small"));
        assertThat(snapshot.engine().estimate(shirts, larger))
                .isEqualTo(database.estimate(shirts, larger));
        assertThat(snapshot.engine().estimate(shirts, Predicate.ALL)).hasValue(4);
    }
}
