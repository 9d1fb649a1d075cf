package dev.penstock.films.store;

import java.sql.SQLException;
import java.util.List;

/** Countries, their cities, and the addresses in them. */
final class PlaceTables {
    private static final String[] COUNTRIES = Words.list("country");
    private static final String[] CITY_FIRST = Words.list("city-first");
    private static final String[] CITY_LAST = Words.list("city-last");
    private static final String[] STREETS = Words.list("street");
    private static final String[] DISTRICTS = Words.list("district");

    private final Counts counts;
    private final Dice city;
    private final Dice address;

    PlaceTables(Counts counts, long seed) {
        this.counts = counts;
        city = Dice.of(seed, "city");
        address = Dice.of(seed, "address");
    }

    List<StoreTable> tables() {
        return List.of(
                StoreTable.of(
                        "country",
                        "country_id, country, last_update",
                        COUNTRIES.length,
                        PlaceTables::country),
                StoreTable.of(
                        "city",
                        "city_id, city, country_id, last_update",
                        counts.cities(),
                        this::city),
                StoreTable.of(
                        "address",
                        "address_id, address, address2, district, city_id, postal_code, phone, last_update",
                        counts.addresses(),
                        this::address));
    }

    private static void country(long id, RowSink out) throws SQLException {
        out.number(id);
        out.text(COUNTRIES[(int) id - 1]);
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }

    private void city(long id, RowSink out) throws SQLException {
        int name = (int) city.place(id - 1, (long) CITY_FIRST.length * CITY_LAST.length, 0);
        out.number(id);
        out.text(CITY_FIRST[name / CITY_LAST.length] + CITY_LAST[name % CITY_LAST.length]);
        out.number(1 + city.below(COUNTRIES.length, id, 1));
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }

    private void address(long id, RowSink out) throws SQLException {
        out.number(id);
        out.text((1 + address.below(240, id, 0)) + " " + address.pick(STREETS, id, 1));
        int flat = address.below(80, id, 2);
        out.text(flat < 8 ? "Flat " + (1 + flat) : null);
        out.text(address.pick(DISTRICTS, id, 3));
        out.number(1 + address.below((int) counts.cities(), id, 4));
        out.text(
                address.below(50, id, 5) == 0
                        ? null
                        : Integer.toString(10_000 + address.below(90_000, id, 6)));
        out.text(Long.toString(200_000_000L + address.below(700_000_000, id, 7)));
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }
}
