package dev.penstock.bench.films;

import static dev.penstock.query.typed.aggregate.Aggregates.count;
import static dev.penstock.query.typed.aggregate.Aggregates.groupingBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.films.Actor;
import dev.penstock.films.Address;
import dev.penstock.films.Category;
import dev.penstock.films.City;
import dev.penstock.films.Country;
import dev.penstock.films.Customer;
import dev.penstock.films.Film;
import dev.penstock.films.Inventory;
import dev.penstock.films.Language;
import dev.penstock.films.Rental;
import dev.penstock.films.store.FilmStore;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.snapshot.Snapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Streams of every shape over ten tables of a snapshot, so that what the JVM compiles has seen many kinds of
 * everything.
 */
final class Pollution {
    private static final long NANOS = 4_000_000_000L;

    private Pollution() {}

    /** Runs them for some seconds. */
    static void spread() throws SQLException {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.H2)) {
            try (Connection connection = database.connect()) {
                FilmStore.of(0.1).create(connection);
            }
            try (Snapshot snapshot =
                    Snapshot.load(
                            Database.connect(database.dataSource()),
                            Actor.TABLE,
                            Address.TABLE,
                            Category.TABLE,
                            City.TABLE,
                            Country.TABLE,
                            Customer.TABLE,
                            Film.TABLE,
                            Inventory.TABLE,
                            Language.TABLE,
                            Rental.TABLE)) {
                List<Shapes<?>> tables = tables(snapshot);
                long start = System.nanoTime();
                long found = 0;
                while (System.nanoTime() - start < NANOS) {
                    for (Shapes<?> each : tables) {
                        found += each.all();
                    }
                }
                if (found == 0) {
                    throw new IllegalStateException("the tables are empty");
                }
            }
        }
    }

    private static List<Shapes<?>> tables(Snapshot snapshot) {
        return List.of(
                new Shapes<>(snapshot.table(Actor.TABLE), Actor.ACTOR_ID, Actor.LAST_NAME),
                new Shapes<>(snapshot.table(Address.TABLE), Address.ADDRESS_ID, Address.PHONE),
                new Shapes<>(snapshot.table(Category.TABLE), Category.CATEGORY_ID, Category.NAME),
                new Shapes<>(snapshot.table(City.TABLE), City.COUNTRY_ID, City.CITY),
                new Shapes<>(snapshot.table(Country.TABLE), Country.COUNTRY_ID, Country.COUNTRY),
                new Shapes<>(snapshot.table(Customer.TABLE), Customer.STORE_ID, Customer.ACTIVE),
                new Shapes<>(snapshot.table(Film.TABLE), Film.RENTAL_DURATION, Film.RENTAL_RATE),
                new Shapes<>(
                        snapshot.table(Inventory.TABLE), Inventory.FILM_ID, Inventory.STORE_ID),
                new Shapes<>(snapshot.table(Language.TABLE), Language.LANGUAGE_ID, Language.NAME),
                new Shapes<>(snapshot.table(Rental.TABLE), Rental.CUSTOMER_ID, Rental.RETURN_DATE));
    }

    private record Shapes<R>(TypedTable<R> table, IntField<R> number, Field<R, ?> other) {
        long all() {
            return filters() + orders() + figures();
        }

        private long filters() {
            return table.stream().filter(number.greaterThan(2)).count()
                    + table.stream().filter(number.in(1, 3, 5)).filter(other.isNotNull()).count()
                    + table.stream().filter(number.between(2, 9).or(other.isNull())).count()
                    + (table.stream().anyMatch(number.equal(3)) ? 1 : 0)
                    + table.stream()
                            .filter(number.lessThan(9))
                            .filter(row -> row.hashCode() != 0)
                            .count();
        }

        private long orders() {
            return table.stream()
                            .sorted(number.reversed())
                            .skip(2)
                            .limit(5)
                            .mapToInt(number.asInt())
                            .summaryStatistics()
                            .getCount()
                    + table.stream().sorted(other.comparator()).limit(3).toList().size()
                    + table.stream()
                            .filter(other.isNotNull())
                            .sorted(number.comparator())
                            .map(number)
                            .limit(7)
                            .toList()
                            .size()
                    + table.find(number.greaterThan(1)).hashCode();
        }

        private long figures() {
            return table.stream().map(other).distinct().count()
                    + table.stream().mapToInt(number.asInt()).max().orElse(0)
                    + table.stream().mapToInt(number.asInt()).sum()
                    + table.stream().collect(groupingBy(other, count())).size();
        }
    }
}
