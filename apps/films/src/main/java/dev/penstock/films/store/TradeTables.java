package dev.penstock.films.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Stores and their staff, customers, the discs on the shelves, who rented which, and what was paid for it. */
final class TradeTables {
    private static final long DAY = 86_400;

    /** The first rental: 2025-05-24 09:00. */
    private static final long OPENED = 1_748_077_200L;

    /** Through how many days rentals go; what is not back by then is still out. */
    private static final long DAYS = 266;

    private static final String[] GIVEN = Words.list("given-name");
    private static final String[] FAMILY = Words.list("family-name");

    private final Counts counts;
    private final FilmTables films;
    private final Dice staff;
    private final Dice customer;
    private final Dice inventory;
    private final Dice rental;
    private final Dice payment;

    TradeTables(Counts counts, long seed, FilmTables films) {
        this.counts = counts;
        this.films = films;
        staff = Dice.of(seed, "staff");
        customer = Dice.of(seed, "customer");
        inventory = Dice.of(seed, "inventory");
        rental = Dice.of(seed, "rental");
        payment = Dice.of(seed, "payment");
    }

    List<StoreTable> tables() {
        return List.of(
                StoreTable.of(
                        "store",
                        "store_id, manager_staff_id, address_id, last_update",
                        counts.stores(),
                        TradeTables::store),
                StoreTable.of(
                        "staff",
                        "staff_id, first_name, last_name, address_id, picture, email, store_id, active, username,"
                                + " password, last_update",
                        counts.stores(),
                        this::staff),
                StoreTable.of(
                        "customer",
                        "customer_id, store_id, first_name, last_name, email, address_id, active, create_date,"
                                + " last_update",
                        counts.customers(),
                        this::customer),
                StoreTable.of(
                        "inventory",
                        "inventory_id, film_id, store_id, last_update",
                        counts.inventory(),
                        this::inventory),
                StoreTable.of(
                        "rental",
                        "rental_id, rental_date, inventory_id, customer_id, return_date, staff_id, last_update",
                        counts.rentals(),
                        this::rental),
                StoreTable.of(
                        "payment",
                        "payment_id, customer_id, staff_id, rental_id, amount, payment_date, last_update",
                        counts.payments(),
                        this::payment));
    }

    private static void store(long id, RowSink out) throws SQLException {
        out.number(id);
        out.number(id);
        out.number(id);
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }

    private void staff(long id, RowSink out) throws SQLException {
        String given = staff.pick(GIVEN, id, 0);
        String family = staff.pick(FAMILY, id, 1);
        out.number(id);
        out.text(given);
        out.text(family);
        out.number(counts.stores() + id);
        if (id % 2 == 1) {
            out.bytes(Badge.of(staff, id));
        } else {
            out.nothing();
        }
        out.text(email(given, family, id));
        out.number(id);
        out.truth(true);
        out.text(given.toLowerCase(Locale.ROOT) + id);
        out.nothing();
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }

    private static String email(String given, String family, long id) {
        return (given + "." + family).toLowerCase(Locale.ROOT) + "." + id + "@films.example";
    }

    private void customer(long id, RowSink out) throws SQLException {
        String given = customer.pick(GIVEN, id, 0);
        String family = customer.pick(FAMILY, id, 1);
        out.number(id);
        out.number(1 + customer.below((int) counts.stores(), id, 2));
        out.text(given);
        out.text(family);
        out.text(customer.below(60, id, 3) == 0 ? null : email(given, family, id));
        out.number(2 * counts.stores() + id);
        out.truth(customer.below(40, id, 4) > 0);
        out.time(OPENED - DAY * (1 + customer.below(400, id, 5)));
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }

    private void inventory(long id, RowSink out) throws SQLException {
        out.number(id);
        out.number(film(id));
        out.number(store(id));
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }

    /** Which film a disc holds. */
    private long film(long disc) {
        return 1 + inventory.slot(disc - 1, counts.inventory(), counts.films(), 0);
    }

    /** Where a disc stands. */
    private long store(long disc) {
        return 1L + inventory.below((int) counts.stores(), disc, 1);
    }

    /** Each disc goes out once in a round of all of them, so that none is rented twice at a time. */
    private long disc(long rentalId) {
        return 1 + rental.place((rentalId - 1) % counts.inventory(), counts.inventory(), 0);
    }

    private long rented(long id) {
        return OPENED + rental.slot(id - 1, counts.rentals(), DAYS * DAY, 1);
    }

    private long renter(long id) {
        return 1L + rental.below((int) counts.customers(), id, 2);
    }

    private long secondsOut(long id) {
        return DAY + rental.below((int) (9 * DAY), id, 3);
    }

    private boolean isBack(long id) {
        return rented(id) + secondsOut(id) < OPENED + DAYS * DAY;
    }

    private void rental(long id, RowSink out) throws SQLException {
        long disc = disc(id);
        out.number(id);
        out.time(rented(id));
        out.number(disc);
        out.number(renter(id));
        if (isBack(id)) {
            out.time(rented(id) + secondsOut(id));
        } else {
            out.nothing();
        }
        out.number(store(disc));
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }

    /** One for each rental, with a dollar more a day that it was late; the last few are for no rental. */
    private void payment(long id, RowSink out) throws SQLException {
        boolean forRental = id <= counts.rentals();
        long of = forRental ? id : 1L + payment.below((int) counts.rentals(), id, 0);
        long film = film(disc(of));
        long late = isBack(of) ? Math.max(0, secondsOut(of) / DAY - films.days(film)) : 0;
        out.number(id);
        out.number(renter(of));
        out.number(store(disc(of)));
        if (forRental) {
            out.number(of);
        } else {
            out.nothing();
        }
        out.hundredths(films.rate(film) + 100 * late);
        out.time(rented(of));
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }
}
