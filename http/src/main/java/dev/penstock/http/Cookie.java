package dev.penstock.http;

import dev.penstock.http.message.Syntax;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A cookie that a response sets (RFC 6265). Unless said otherwise, scripts can't read it ({@code HttpOnly}), other
 * sites' requests bring it only with a link that is followed ({@code SameSite=Lax}), it is sent to all paths, it goes
 * over TLS alone if it was set over TLS ({@code Secure}), and it lasts until the browser is closed. Immutable.
 */
public final class Cookie {
    private static final int MOST_BYTES = 4096;

    /** Browsers leave out an attribute that is longer. */
    private static final int MOST_OF_ATTRIBUTE = 1024;

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.-]+");

    private final String name;
    private final String value;
    private final String path;
    private final @Nullable String domain;
    private final @Nullable Duration maxAge;
    private final SameSite sameSite;
    private final boolean httpOnly;
    private final @Nullable Boolean secure;

    private Cookie(
            String name,
            String value,
            String path,
            @Nullable String domain,
            @Nullable Duration maxAge,
            SameSite sameSite,
            boolean httpOnly,
            @Nullable Boolean secure) {
        this.name = name;
        this.value = value;
        this.path = path;
        this.domain = domain;
        this.maxAge = maxAge;
        this.sameSite = sameSite;
        this.httpOnly = httpOnly;
        this.secure = secure;
    }

    /** The requests of other sites that bring a cookie. */
    public enum SameSite {
        /** None. */
        STRICT("Strict"),
        /** Those by which a user comes to this site, such as a link. */
        LAX("Lax"),
        /** All; such a cookie is always {@code Secure}, as browsers demand. */
        NONE("None");

        private final String text;

        SameSite(String text) {
            this.text = text;
        }
    }

    /**
     * A cookie with the defaults that this class names.
     *
     * @param name a token of HTTP. With the prefix {@code __Host-} or {@code __Secure-}, in whatever case, it is always
     *     {@code Secure}; browsers then take it only from a server that they reach over TLS, or on their own machine
     * @param value visible ASCII without quotation mark, comma, semicolon and backslash; encode anything else
     * @throws IllegalArgumentException if the name or the value has other characters, or both have more than 4,096
     */
    public static Cookie of(String name, String value) {
        if (!Syntax.isToken(name)) {
            throw new IllegalArgumentException(
                    "The cookie's name " + Syntax.printable(name) + " is not a token of HTTP");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c <= 0x20 || c >= 0x7f || "\",;\\".indexOf(c) >= 0) {
                throw new IllegalArgumentException(
                        ("The value of cookie %s has character U+%04X at %d;"
                                        + " encode it, for example by Base64's URL encoder")
                                .formatted(name, (int) c, i));
            }
        }
        if (name.length() + value.length() > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "Cookie %s has %d characters; browsers take up to %d"
                            .formatted(name, name.length() + value.length(), MOST_BYTES));
        }
        return new Cookie(name, value, "/", null, null, SameSite.LAX, true, null);
    }

    /** A cookie that has a browser forget the one of that name, path {@code /} and this host. */
    public static Cookie expired(String name) {
        return of(name, "").maxAge(Duration.ZERO);
    }

    /**
     * The same, for paths below this one.
     *
     * @throws IllegalArgumentException if it does not begin with a slash, has a semicolon or a character that is not
     *     visible ASCII, or more than 1,024
     */
    public Cookie path(String prefix) {
        checkAttribute("path", prefix);
        if (!prefix.startsWith("/")) {
            throw new IllegalArgumentException(
                    "The path of cookie %s is %s; it must begin with /".formatted(name, prefix));
        }
        return new Cookie(name, value, prefix, domain, maxAge, sameSite, httpOnly, secure);
    }

    /**
     * The same, for a domain and all below it; unless set, for the very host that sets it.
     *
     * @throws IllegalArgumentException if it is no name of a host
     */
    public Cookie domain(String host) {
        checkAttribute("domain", host);
        if (!HOST.matcher(host).matches()) {
            throw new IllegalArgumentException(
                    "The domain of cookie %s is %s; it must be the name of a host"
                            .formatted(name, host));
        }
        return new Cookie(name, value, path, host, maxAge, sameSite, httpOnly, secure);
    }

    /**
     * The same, to be kept for so long, in whole seconds; browsers keep none for more than 400 days. Zero has it
     * forgotten at once.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Cookie maxAge(Duration age) {
        if (age.isNegative()) {
            throw new IllegalArgumentException(
                    "The age of cookie %s is %s; it must not be negative".formatted(name, age));
        }
        return new Cookie(name, value, path, domain, age, sameSite, httpOnly, secure);
    }

    /** The same, with other requests that bring it. */
    public Cookie sameSite(SameSite requests) {
        return new Cookie(name, value, path, domain, maxAge, requests, httpOnly, secure);
    }

    /** The same, to be read and set by scripts of the page too. */
    public Cookie readableByScripts() {
        return new Cookie(name, value, path, domain, maxAge, sameSite, false, secure);
    }

    /** The same, to go over TLS alone, or not, whatever it was set over; for servers behind a proxy that ends TLS. */
    public Cookie secure(boolean overTlsOnly) {
        return new Cookie(name, value, path, domain, maxAge, sameSite, httpOnly, overTlsOnly);
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Its value. */
    public String value() {
        return value;
    }

    /**
     * The value of the header {@code Set-Cookie}.
     *
     * @param overTls whether the response goes over TLS
     * @throws IllegalArgumentException if the name has a prefix whose conditions do not hold
     */
    String header(boolean overTls) {
        boolean ofHost = hasPrefix("__Host-");
        if (ofHost && (domain != null || !path.equals("/"))) {
            throw new IllegalArgumentException(
                    "Cookie %s may have no domain, and no path but /, as its prefix says"
                            .formatted(name));
        }
        boolean tlsOnly = ofHost || hasPrefix("__Secure-") || sameSite == SameSite.NONE;
        boolean only = tlsOnly || (secure == null ? overTls : secure);
        StringBuilder text = new StringBuilder(name).append('=').append(value);
        text.append("; Path=").append(path);
        if (domain != null) {
            text.append("; Domain=").append(domain);
        }
        if (maxAge != null) {
            text.append("; Max-Age=").append(maxAge.toSeconds());
        }
        if (only) {
            text.append("; Secure");
        }
        if (httpOnly) {
            text.append("; HttpOnly");
        }
        return text.append("; SameSite=").append(sameSite.text).toString();
    }

    /**
     * The value that a request brings under a name, the first where there are several.
     *
     * @param headers the request's {@code Cookie} headers
     */
    static Optional<String> find(List<String> headers, String name) {
        for (String header : headers) {
            for (int start = 0; start < header.length(); ) {
                int semicolon = header.indexOf(';', start);
                int end = semicolon < 0 ? header.length() : semicolon;
                String pair = header.substring(start, end).strip();
                if (pair.startsWith(name)
                        && pair.length() > name.length()
                        && pair.charAt(name.length()) == '=') {
                    return Optional.of(unquoted(pair.substring(name.length() + 1)));
                }
                start = end + 1;
            }
        }
        return Optional.empty();
    }

    /** Browsers look at prefixes without regard to case. */
    private boolean hasPrefix(String prefix) {
        return name.regionMatches(true, 0, prefix, 0, prefix.length());
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private void checkAttribute(String attribute, String text) {
        if (text.isEmpty() || text.chars().anyMatch(c -> c <= 0x20 || c >= 0x7f || c == ';')) {
            throw new IllegalArgumentException(
                    "The %s of cookie %s is empty, or has a semicolon or a character that is not visible ASCII"
                            .formatted(attribute, name));
        }
        if (text.length() > MOST_OF_ATTRIBUTE) {
            throw new IllegalArgumentException(
                    "The %s of cookie %s has %d characters; browsers take up to %d"
                            .formatted(attribute, name, text.length(), MOST_OF_ATTRIBUTE));
        }
    }
}
