package dev.penstock.bench.report;

import java.util.Locale;

/** Figures as they are written for people; NaN, which is no figure, is written as nothing. */
public final class Figures {
    private Figures() {}

    /** Writes it with thousands separated, and as many fraction digits as three significant digits need. */
    public static String number(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        double size = Math.abs(value);
        String pattern = size >= 100 || size == 0 ? "%,.0f" : size >= 10 ? "%,.1f" : "%,.2f";
        return String.format(Locale.ROOT, pattern, value);
    }

    /** Writes it with thousands separated. */
    public static String number(long value) {
        return number((double) value);
    }

    /** Writes a time in milliseconds. */
    public static String milliseconds(double value) {
        return with(value, " ms");
    }

    /** Writes a time in the unit that suits it, up to hours. */
    public static String time(double nanoseconds) {
        double[] units = {1, 1e3, 1e6, 1e9, 60e9, 3600e9};
        return scaled(nanoseconds, units, units, " ns", " µs", " ms", " s", " min", " h");
    }

    /** Writes how many there are, shortened to thousands from ten of them on, and to millions. */
    public static String count(double value) {
        double[] units = {1, 1e3, 1e6};
        return scaled(value, new double[] {1, 1e4, 1e6}, units, "", " k", " M");
    }

    private static String scaled(double value, double[] from, double[] units, String... names) {
        int unit = 0;
        while (unit + 1 < units.length && value >= from[unit + 1]) {
            unit++;
        }
        return with(value / units[unit], names[unit]);
    }

    /** Writes a size in bytes. */
    public static String bytes(double bytes) {
        return with(bytes, " bytes");
    }

    /** Writes a size in megabytes. */
    public static String megabytes(double bytes) {
        return with(bytes / 1e6, " MB");
    }

    /** Writes a size in megabytes. */
    public static String megabytes(long bytes) {
        return megabytes((double) bytes);
    }

    /** Writes a share as percents. */
    public static String percent(double share) {
        return Double.isNaN(share) ? "" : String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    private static String with(double value, String unit) {
        return Double.isNaN(value) ? "" : number(value) + unit;
    }
}
