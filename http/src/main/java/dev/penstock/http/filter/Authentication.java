package dev.penstock.http.filter;

import dev.penstock.http.AttributeKey;
import dev.penstock.http.Exchange;
import dev.penstock.http.Filter;
import dev.penstock.http.HttpException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * A filter that knows the sender of a request by its {@code Authorization} header; requests of nobody who is known are
 * answered 401. What is compared here takes as long for a wrong secret as for the right one. Secrets go over the
 * network as they are: use TLS. Thread-safe.
 */
public final class Authentication implements Filter {
    /** The name of whoever has sent the request. */
    public static final AttributeKey<String> USER = AttributeKey.of("user");

    private static final int LONGEST = 4096;

    private final String scheme;
    private final String challenge;
    private final boolean nonBlocking;
    private final Function<String, Optional<String>> check;

    private Authentication(
            String scheme,
            String challenge,
            boolean nonBlocking,
            Function<String, Optional<String>> check) {
        this.scheme = scheme;
        this.challenge = challenge;
        this.nonBlocking = nonBlocking;
        this.check = check;
    }

    /**
     * Users with passwords (RFC 7617), such as for tools and for oneself.
     *
     * @param realm what browsers show when they ask; without quotation marks
     * @param passwords by user
     */
    public static Authentication basic(String realm, Map<String, String> passwords) {
        Map<String, byte[]> known = new HashMap<>();
        passwords.forEach((user, password) -> known.put(user, digest(password)));
        byte[] nobody = digest("");
        return new Authentication(
                "Basic",
                challenge("Basic", realm, ", charset=\"UTF-8\""),
                true,
                credentials ->
                        user(
                                credentials,
                                (user, password) -> {
                                    // As long for whom it knows as for others.
                                    byte[] given = digest(password);
                                    byte[] wanted = known.getOrDefault(user, nobody);
                                    boolean same = MessageDigest.isEqual(wanted, given);
                                    return same && known.containsKey(user);
                                }));
    }

    /**
     * Users with passwords that something else checks, such as a database with their hashes.
     *
     * @param check whether a user has a password; it may block, and must take as long for one who is not known
     */
    public static Authentication basic(String realm, BiPredicate<String, String> check) {
        return new Authentication(
                "Basic",
                challenge("Basic", realm, ", charset=\"UTF-8\""),
                false,
                credentials -> user(credentials, check));
    }

    /**
     * Tokens (RFC 6750), such as for programs.
     *
     * @param realm what the server calls itself; without quotation marks
     * @param users by token
     */
    public static Authentication bearer(String realm, Map<String, String> users) {
        List<Map.Entry<byte[], String>> known = new ArrayList<>();
        users.forEach((token, user) -> known.add(Map.entry(digest(token), user)));
        return new Authentication(
                "Bearer",
                challenge("Bearer", realm, ""),
                true,
                token -> {
                    byte[] given = digest(token);
                    String found = null;
                    for (Map.Entry<byte[], String> one : known) {
                        if (MessageDigest.isEqual(one.getKey(), given)) {
                            found = one.getValue();
                        }
                    }
                    return Optional.ofNullable(found);
                });
    }

    /**
     * Tokens that something else knows.
     *
     * @param user the name of whoever has a token, if anybody; it may block
     */
    public static Authentication bearer(String realm, Function<String, Optional<String>> user) {
        return new Authentication("Bearer", challenge("Bearer", realm, ""), false, user);
    }

    private static String challenge(String scheme, String realm, String more) {
        if (realm.chars().anyMatch(c -> c < 0x20 || c >= 0x7f || c == '"' || c == '\\')) {
            throw new IllegalArgumentException(
                    "The realm must be visible ASCII without quotation mark and backslash: "
                            + realm);
        }
        return scheme + " realm=\"" + realm + "\"" + more;
    }

    @Override
    public boolean isNonBlocking() {
        return nonBlocking;
    }

    @Override
    public void handle(Exchange exchange) {
        String user =
                exchange.header("Authorization")
                        .filter(header -> header.length() <= LONGEST)
                        .flatMap(this::credentials)
                        .flatMap(check)
                        .orElseThrow(() ->
                                new HttpException(
                                                401,
                                                "This needs an Authorization header with credentials"
                                                        + " that are known here")
                                        .header("WWW-Authenticate", challenge));
        exchange.attribute(USER, user);
    }

    private Optional<String> credentials(String header) {
        int space = header.indexOf(' ');
        return space > 0
                        && header.substring(0, space)
                                .toLowerCase(Locale.ROOT)
                                .equals(scheme.toLowerCase(Locale.ROOT))
                ? Optional.of(header.substring(space + 1).strip())
                : Optional.empty();
    }

    private static Optional<String> user(String credentials, BiPredicate<String, String> check) {
        String pair;
        try {
            pair = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
        int colon = pair.indexOf(':');
        String user = pair.substring(0, Math.max(colon, 0));
        boolean right = colon >= 0 && check.test(user, pair.substring(colon + 1));
        return right ? Optional.of(user) : Optional.empty();
    }

    /** Secrets are compared by digests, which have one length. */
    private static byte[] digest(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every JDK has SHA-256", impossible);
        }
    }
}
