package dev.penstock.http.message;

import java.util.regex.Pattern;

/** The weight of an element in a header that is a list of preferences (RFC 9110, section 12.4.2). */
final class Weight {
    private static final Pattern SYNTAX = Pattern.compile("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?");

    private Weight() {}

    /**
     * Returns the weight, from 0 to 1; 1 where there is none, and 0 where it is malformed.
     *
     * @param parts the element in lower case, split at its semicolons
     */
    static double of(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                String weight = parameter.substring(2);
                return SYNTAX.matcher(weight).matches() ? Double.parseDouble(weight) : 0;
            }
        }
        return 1;
    }
}
