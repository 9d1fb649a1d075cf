package dev.penstock.http.websocket;

import dev.penstock.http.HttpException;
import dev.penstock.http.message.Syntax;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An agreement of client and server about compressed messages (RFC 7692, permessage-deflate). Neither side keeps a
 * window from one message to the next, so that an idle connection holds none; a server may demand both without having
 * been offered either (sections 7.1.1.1 and 7.1.1.2).
 *
 * @param windowBits the base-2 logarithm of the window with which this side compresses
 * @param tellsBits whether the client has asked for a window, so that it is told which it gets
 */
record MessageDeflate(int windowBits, boolean tellsBits) {
    /** The window with which this side compresses unless it is to be smaller. */
    static final int MOST_BITS = 12;

    /**
     * The smallest window that the compressor has. Its matches are no further away than 250 bytes, so 8 bits will do.
     */
    static final int LEAST_BITS = 9;

    private static final String NAME = "permessage-deflate";
    private static final int LEAST_OFFERED = 8;
    private static final int MOST_OFFERED = 15;

    /**
     * Chooses the first offer that is acceptable; null where there is none. An offer with a parameter that is not
     * known, that comes twice or has no valid value is not acceptable, and says nothing against those after it.
     *
     * @param headers the values of {@code Sec-WebSocket-Extensions}
     * @throws HttpException if one is malformed (400)
     */
    static @Nullable MessageDeflate choose(List<String> headers) {
        MessageDeflate chosen = null;
        for (String offer : Syntax.elements(headers)) {
            MessageDeflate made = accept(ExtensionOffer.parse(offer));
            chosen = chosen == null ? made : chosen;
        }
        return chosen;
    }

    private static @Nullable MessageDeflate accept(ExtensionOffer offer) {
        if (!offer.name().equalsIgnoreCase(NAME)) {
            return null;
        }
        Set<String> seen = new HashSet<>(4);
        int bits = 0;
        for (ExtensionOffer.Parameter parameter : offer.parameters()) {
            String name = parameter.name().toLowerCase(Locale.ROOT);
            String value = parameter.value();
            boolean valid =
                    seen.add(name)
                            && switch (name) {
                                case "server_no_context_takeover", "client_no_context_takeover" ->
                                        value == null;
                                case "server_max_window_bits" -> value != null && bits(value) > 0;
                                case "client_max_window_bits" -> value == null || bits(value) > 0;
                                default -> false;
                            };
            if (!valid) {
                return null;
            }
            if (name.equals("server_max_window_bits") && value != null) {
                bits = bits(value);
            }
        }
        return bits == 0
                ? new MessageDeflate(MOST_BITS, false)
                : new MessageDeflate(Math.min(bits, MOST_BITS), true);
    }

    /** Returns 8 to 15; 0 for anything else, a number with a zero in front among it. */
    private static int bits(String value) {
        boolean digits = value.length() <= 2 && value.chars().allMatch(c -> c >= '0' && c <= '9');
        int number =
                digits && !value.isEmpty() && !value.startsWith("0") ? Integer.parseInt(value) : 0;
        return number >= LEAST_OFFERED && number <= MOST_OFFERED ? number : 0;
    }

    /** What the client is told. */
    String response() {
        String bits = tellsBits ? "; server_max_window_bits=" + windowBits : "";
        return NAME + "; server_no_context_takeover; client_no_context_takeover" + bits;
    }
}
