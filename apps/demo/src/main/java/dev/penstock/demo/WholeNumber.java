package dev.penstock.demo;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;

/** A whole number within bounds, which a request must have as a parameter. */
final class WholeNumber {
    private static final int MOST_QUOTED = 40;

    private WholeNumber() {}

    /**
     * Returns the parameter of that name.
     *
     * @param unit what it counts, for the refusal
     * @throws HttpException (400) if it is missing, no whole number, or out of bounds
     */
    static int of(Exchange exchange, String name, String unit, int least, int most) {
        String value = exchange.parameter(name).orElse("");
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw new HttpException(
                        400,
                        "%s is '%s'; it must be a whole number of %s from %d to %d, such as ?%s=%d"
                                .formatted(
                                        name,
                                        value.length() > MOST_QUOTED
                                                ? value.substring(0, MOST_QUOTED)
                                                : value,
                                        unit,
                                        least,
                                        most,
                                        name,
                                        Math.max(least, most / 30)))
                .with("parameter", name);
    }
}
