package dev.penstock.server.config.value;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A converter of sizes in bytes, such as {@code 4096}, {@code 64k}, {@code 500m}, {@code 20g} and {@code 2t}. */
public final class SizeConverter implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15})([kmgtKMGT]?)");
    private static final String UNITS = "kmgt";
    private static final int BITS_A_UNIT = 10;

    @Override
    public Long convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is no size, which is written like 64k, 500m, 20g or 2t");
        }
        String unit = matcher.group(2).toLowerCase(Locale.ROOT);
        int shift = unit.isEmpty() ? 0 : BITS_A_UNIT * (UNITS.indexOf(unit) + 1);
        long amount = Long.parseLong(matcher.group(1));
        if (amount > Long.MAX_VALUE >> shift) {
            throw new TypeConversionException("'" + text + "' is more bytes than there can be");
        }
        return amount << shift;
    }

    /** Returns the shortest text that {@link #convert} reads as this size. */
    public static String text(long bytes) {
        int unit = 0;
        long amount = bytes;
        while (unit < UNITS.length() && amount > 0 && amount % 1024 == 0) {
            amount /= 1024;
            unit++;
        }
        return amount + (unit == 0 ? "" : UNITS.substring(unit - 1, unit));
    }
}
