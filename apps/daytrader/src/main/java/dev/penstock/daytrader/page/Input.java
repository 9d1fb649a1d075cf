package dev.penstock.daytrader.page;

import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.http.Exchange;
import dev.penstock.http.form.Form;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/** The parameters of a request: those of its form, and those of its query where the form has none of that name. */
final class Input {
    /** The longest text of a field, in characters: the tables' columns have as much. */
    static final int MOST_CHARACTERS = 250;

    private static final int MOST_BYTES = 64 * 1024;

    private final Map<String, String> values;

    private Input(Map<String, String> values) {
        this.values = values;
    }

    static Input of(Map<String, String> values) {
        return new Input(values);
    }

    static Input of(Exchange exchange) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        for (Exchange.Parameter parameter : exchange.parameters()) {
            values.put(parameter.name(), parameter.value());
        }
        if (exchange.method().equals("POST") && exchange.contentType().isPresent()) {
            for (Exchange.Parameter field : Form.of(exchange, MOST_BYTES).fields()) {
                values.put(field.name(), field.value());
            }
        }
        return new Input(values);
    }

    /** A value that may be anything; empty if there is none. */
    String raw(String name) {
        return values.getOrDefault(name, "");
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /**
     * A text for the database.
     *
     * @throws TradeException if it is too long, or has characters that are none to be read
     */
    String text(String name) {
        String text = raw(name);
        if (text.length() > MOST_CHARACTERS) {
            throw new TradeException(
                    Kind.INVALID,
                    "'%s' has %,d characters; it can have %d."
                            .formatted(name, text.length(), MOST_CHARACTERS));
        }
        boolean isReadable =
                text.codePoints()
                        .noneMatch(c ->
                                Character.isISOControl(c)
                                        || (c >= Character.MIN_SURROGATE
                                                && c <= Character.MAX_SURROGATE));
        if (!isReadable) {
            throw new TradeException(
                    Kind.INVALID, "'%s' has characters that can't be shown.".formatted(name));
        }
        return text;
    }

    /**
     * A text that must be there.
     *
     * @throws TradeException as {@link #text} does, and if it is blank
     */
    String required(String name) {
        String text = text(name);
        if (text.isBlank()) {
            throw new TradeException(Kind.INVALID, "'%s' is missing; fill it in.".formatted(name));
        }
        return text;
    }

    /** A whole number of at most nine digits. */
    int number(String name) {
        String text = required(name).strip();
        if (!text.matches("[0-9]{1,9}")) {
            throw new TradeException(
                    Kind.INVALID,
                    "'%s' is %s; it must be a whole number.".formatted(name, shown(text)));
        }
        return Integer.parseInt(text);
    }

    /** A number of shares; whether it makes sense is decided where it is bought. */
    double quantity(String name) {
        String text = required(name).strip();
        if (!text.matches("[+-]?[0-9]{1,200}(\\.[0-9]{0,50})?")) {
            throw new TradeException(
                    Kind.INVALID,
                    "'%s' is %s; it must be a whole number of shares."
                            .formatted(name, shown(text)));
        }
        BigDecimal quantity = new BigDecimal(text);
        // As a double, a very small fraction would be none.
        if (quantity.stripTrailingZeros().scale() > 0) {
            throw new TradeException(
                    Kind.INVALID,
                    "'%s' is %s; it must be a whole number from 1 to %,d."
                            .formatted(name, shown(text), TradeServices.MOST_SHARES));
        }
        return quantity.doubleValue();
    }

    static String shown(String text) {
        return "'" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "'";
    }
}
