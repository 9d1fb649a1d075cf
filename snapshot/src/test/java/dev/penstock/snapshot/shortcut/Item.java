package dev.penstock.snapshot.shortcut;

import dev.penstock.databases.TestDatabase;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.query.typed.field.ValueField;
import dev.penstock.snapshot.InMemory;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** An entity with a column of each kind for which there are shortcuts. */
record Item(
        int id,
        Integer size,
        long weight,
        Color color,
        int stars,
        String name,
        BigDecimal price,
        LocalDate day,
        BigDecimal rate,
        int rank) {
    enum Color {
        RED,
        GREEN,
        BLUE,
        MISSING
    }

    static final IntField<Item> ID = IntField.of(Item.class, "id", Item::id);
    static final IntField<Item> SIZE = IntField.nullable(Item.class, "size", Item::size);
    static final LongField<Item> WEIGHT = LongField.of(Item.class, "weight", Item::weight);
    static final EnumField<Item, Color> COLOR =
            EnumField.nullable(
                    Item.class, "color", Color.class, Item::color, Color::name, Color::valueOf);
    static final IntField<Item> STARS = IntField.of(Item.class, "stars", Item::stars);
    static final TextField<Item> NAME = TextField.nullable(Item.class, "name", Item::name);
    static final ValueField<Item, BigDecimal> PRICE =
            ValueField.of(Item.class, "price", BigDecimal.class, Item::price);
    static final ValueField<Item, LocalDate> DAY =
            ValueField.nullable(Item.class, "sold", LocalDate.class, Item::day);

    /** Of the same column as another field, of ints. */
    static final LongField<Item> LONG_STARS = LongField.of(Item.class, "stars", Item::stars);

    static final ValueField<Item, BigDecimal> RATE =
            ValueField.of(Item.class, "rate", BigDecimal.class, Item::rate);
    static final IntField<Item> RANK = IntField.of(Item.class, "place", Item::rank);
    static final Entity<Item> TABLE =
            Entity.of(
                    Item.class,
                    "items",
                    row ->
                            new Item(
                                    row.getInt(0),
                                    row.isNull(1) ? null : row.getInt(1),
                                    row.getLong(2),
                                    row.isNull(3) ? null : Color.valueOf(row.getString(3)),
                                    row.getInt(4),
                                    row.getString(5),
                                    row.getDecimal(6),
                                    row.getDate(7),
                                    row.getDecimal(8),
                                    row.getInt(9)),
                    List.of(ID, SIZE, WEIGHT, COLOR, STARS, NAME, PRICE, DAY, RATE, RANK),
                    List.of(ID));

    /** An item with a name, and nothing else of its own. */
    static Item named(int id, String name) {
        return weighed(id, 1, name);
    }

    /** An item with a weight. */
    static Item weighed(int id, long weight, String name) {
        BigDecimal one = BigDecimal.ONE.setScale(2);
        return new Item(id, 1, weight, null, 1, name, one, null, one, id);
    }

    /** Returns items with IDs from 1 on. */
    static List<Item> items(int rows, Random random) {
        List<Item> items = new ArrayList<>();
        for (int id = 1; id <= rows; id++) {
            Color color = random.nextInt(5) == 0 ? null : Color.values()[random.nextInt(3)];
            Integer size = random.nextInt(7) == 0 ? null : (Integer) (random.nextInt(40) * 2 - 30);
            long weight = Long.MAX_VALUE - random.nextInt(10);
            String name = random.nextInt(9) == 0 ? null : "item " + random.nextInt(50);
            BigDecimal price = BigDecimal.valueOf(random.nextInt(12) - 5L, 2);
            // Far apart.
            BigDecimal rate = BigDecimal.valueOf(random.nextInt(12) * 50L - 99, 2);
            LocalDate day =
                    random.nextInt(6) == 0 ? null : LocalDate.of(2024, 2, 20 + random.nextInt(9));
            int stars = random.nextInt(6);
            // Each once, and not in the order of the key.
            int rank = id * 7919 % 100_003;
            items.add(new Item(id, size, weight, color, stars, name, price, day, rate, rank));
        }
        return items;
    }

    /** Makes a table of items, and loads it. */
    static TypedTable<Item> load(TestDatabase server, List<Item> items) {
        server.execute(
                "create table items (id int primary key, size int, weight bigint not null, color varchar(9),"
                        + " stars int not null, name varchar(20), price decimal(6, 2) not null, sold date,"
                        + " rate decimal(6, 2) not null, place int not null)");
        for (Item i : items) {
            server.execute(
                    "insert into items values (%d, %s, %d, %s, %d, %s, %s, %s, %s, %d)"
                            .formatted(
                                    i.id,
                                    i.size,
                                    i.weight,
                                    literal(i.color),
                                    i.stars,
                                    literal(i.name),
                                    i.price,
                                    literal(i.day),
                                    i.rate,
                                    i.rank));
        }
        return TypedTable.of(InMemory.of(Database.connect(server.dataSource())), TABLE);
    }

    private static String literal(Object value) {
        return value == null ? "null" : "'" + value + "'";
    }
}
