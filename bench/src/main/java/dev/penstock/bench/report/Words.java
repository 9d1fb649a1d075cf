package dev.penstock.bench.report;

import dev.penstock.databases.TestDatabase;
import java.util.Locale;

/** How figures are written for people. */
public final class Words {
    private Words() {}

    /** With thousands separated, and as many fraction digits as three significant digits need; empty for no number. */
    public static String number(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        double size = Math.abs(value);
        String pattern = size >= 100 || size == 0 ? "%,.0f" : size >= 10 ? "%,.1f" : "%,.2f";
        return String.format(Locale.ROOT, pattern, value);
    }

    public static String milliseconds(double value) {
        return Double.isNaN(value) ? "" : number(value) + " ms";
    }

    /** A time in the unit that suits it, up to hours. */
    public static String time(double nanoseconds) {
        return scaled(
                nanoseconds,
                new double[] {1, 1e3, 1e6, 1e9, 60e9, 3600e9},
                " ns",
                " µs",
                " ms",
                " s",
                " min",
                " h");
    }

    /** How many there are, shortened to millions where there are that many. */
    public static String count(double value) {
        return scaled(value, new double[] {1, 1e4, 1e6}, "", " k", " M");
    }

    /** In the largest unit of which there is at least one. Thousands begin at ten of them. */
    private static String scaled(double value, double[] units, String... names) {
        if (Double.isNaN(value)) {
            return "";
        }
        int unit = 0;
        while (unit + 1 < units.length && value >= units[unit + 1]) {
            unit++;
        }
        return number(value / (names[unit].equals(" k") ? 1e3 : units[unit])) + names[unit];
    }

    public static String megabytes(double bytes) {
        return Double.isNaN(bytes) ? "" : number(bytes / 1e6) + " MB";
    }

    public static String megabytes(long bytes) {
        return megabytes((double) bytes);
    }

    public static String percent(double share) {
        return Double.isNaN(share) ? "" : String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    public static String database(TestDatabase.Kind kind) {
        return switch (kind) {
            case POSTGRESQL -> "PostgreSQL";
            case MARIADB -> "MariaDB";
            case MYSQL -> "MariaDB by MySQL's driver";
            case H2 -> "H2";
        };
    }
}
