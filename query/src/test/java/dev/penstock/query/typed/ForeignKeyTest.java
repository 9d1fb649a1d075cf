package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.TextField;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows found along foreign keys in both directions, of one column and of two. */
class ForeignKeyTest {
    record House(int street, String number, String name) {
        static final IntField<House> STREET = IntField.of(House.class, "street", House::street);
        static final TextField<House> NUMBER = TextField.of(House.class, "number", House::number);
        static final TextField<House> NAME = TextField.of(House.class, "name", House::name);
        static final Referrers<House, Tenant> TENANTS = Referrers.of(() -> Tenant.HOUSE);
        static final Entity<House> TABLE =
                Entity.of(
                        House.class,
                        "house",
                        row -> new House(row.getInt(0), row.getString(1), row.getString(2)),
                        List.of(STREET, NUMBER, NAME),
                        List.of(STREET, NUMBER));
    }

    record Tenant(long id, Long street, String number, Long landlord) {
        static final LongField<Tenant> ID = LongField.of(Tenant.class, "id", Tenant::id);
        static final LongField<Tenant> STREET =
                LongField.nullable(Tenant.class, "street", Tenant::street);
        static final TextField<Tenant> NUMBER =
                TextField.nullable(Tenant.class, "number", Tenant::number);
        static final LongField<Tenant> LANDLORD =
                LongField.nullable(Tenant.class, "landlord", Tenant::landlord);
        static final ForeignKey<Tenant, House> HOUSE =
                ForeignKey.of(List.of(STREET, NUMBER), () -> List.of(House.STREET, House.NUMBER));
        static final ForeignKey<Tenant, Tenant> LORD =
                ForeignKey.of(List.of(LANDLORD), () -> List.of(ID));
        static final Referrers<Tenant, Tenant> VASSALS = Referrers.of(() -> LORD);
        static final Entity<Tenant> TABLE =
                Entity.of(
                        Tenant.class,
                        "tenant",
                        row ->
                                new Tenant(
                                        row.getLong(0),
                                        row.isNull(1) ? null : row.getLong(1),
                                        row.getString(2),
                                        row.isNull(3) ? null : row.getLong(3)),
                        List.of(ID, STREET, NUMBER, LANDLORD),
                        List.of(ID));
    }

    @Test
    void foreignKeys_ofOneAndTwoColumns_findBothWays() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table house (street int, number varchar(9), name varchar(9) not null, primary key (street, number))",
                    "create table tenant (id bigint primary key, street bigint, number varchar(9), landlord bigint)",
                    "insert into house values (1, '1a', 'low'), (1, '2', 'high')",
                    "insert into tenant values (1, 1, '1a', null), (2, 1, '2', 1), (3, 1, '2', 1), (4, 1, null, 2), (5, 5000000000, '2', 9)");
            Database database = Database.connect(server.pooled());
            TypedTable<House> houses = database.table(House.TABLE);
            TypedTable<Tenant> tenants = database.table(Tenant.TABLE);
            List<Tenant> all = tenants.stream().sorted(Tenant.ID).toList();
            assertThat(
                            all.stream()
                                    .map(t ->
                                            Tenant.HOUSE
                                                    .of(t, houses)
                                                    .map(House::name)
                                                    .orElse("-")))
                    .containsExactly("low", "high", "high", "-", "-");
            assertThat(all.stream().map(t -> Tenant.LORD.of(t, tenants).map(Tenant::id).orElse(0L)))
                    .containsExactly(0L, 1L, 1L, 2L, 0L);
            House high = houses.find(House.NAME.equal("high")).orElseThrow();
            assertThat(House.TENANTS.of(high, tenants).sorted(Tenant.ID).map(Tenant.ID))
                    .containsExactly(2L, 3L);
            assertThat(Tenant.VASSALS.of(all.getFirst(), tenants).count()).isEqualTo(2);
        }
    }

    enum Status {
        NEW,
        OLD
    }

    record Order(Status status) {
        static final EnumField<Order, Status> STATUS =
                EnumField.of(
                        Order.class,
                        "status",
                        Status.class,
                        Order::status,
                        Status::name,
                        Status::valueOf);
        static final ForeignKey<Order, Label> LABEL =
                ForeignKey.of(List.of(STATUS), () -> List.of(Label.TEXT));
        static final Entity<Order> TABLE =
                Entity.of(
                        Order.class,
                        "orders",
                        row -> new Order(Status.valueOf(row.getString(0))),
                        List.of(STATUS),
                        List.of());
    }

    record Label(String text) {
        static final TextField<Label> TEXT = TextField.of(Label.class, "text", Label::text);
        static final Referrers<Label, Order> ORDERS = Referrers.of(() -> Order.LABEL);
        static final Entity<Label> TABLE =
                Entity.of(
                        Label.class,
                        "label",
                        row -> new Label(row.getString(0)),
                        List.of(TEXT),
                        List.of(TEXT));
    }

    @Test
    void foreignKey_ofAnEnumToATable_findsBothWays() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table label (text varchar(9) primary key)",
                    "create table orders (status varchar(9) not null references label)",
                    "insert into label values ('NEW'), ('OLD'), ('GONE')",
                    "insert into orders values ('NEW'), ('OLD'), ('OLD')");
            Database database = Database.connect(server.pooled());
            TypedTable<Label> labels = database.table(Label.TABLE);
            TypedTable<Order> orders = database.table(Order.TABLE);
            assertThat(Order.LABEL.of(new Order(Status.NEW), labels)).contains(new Label("NEW"));
            assertThat(Label.ORDERS.of(new Label("OLD"), orders)).hasSize(2);
            assertThat(Label.ORDERS.of(new Label("GONE"), orders)).isEmpty();
        }
    }

    @Test
    void foreignKey_ofUnequalLists_saysSo() {
        ForeignKey<Tenant, House> wrong =
                ForeignKey.of(List.of(Tenant.STREET), () -> List.of(House.STREET, House.NUMBER));
        assertThatThrownBy(wrong::to)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Tenant.street");
    }
}
