package dev.penstock.http.tls;

import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A certificate with those that vouch for it, and its private key.
 *
 * @param source where it is from, for messages
 * @param chain its own certificate first
 * @param names the server names that it is for, in lower case; some begin with {@code *.}
 */
record Identity(String source, List<X509Certificate> chain, PrivateKey key, Set<String> names) {
    private static final int DNS_NAME = 2;
    private static final Pattern COMMON_NAME = Pattern.compile("(?:^|,)CN=([^,+\"\\\\]+)");

    Identity {
        chain = List.copyOf(chain);
        names = Set.copyOf(names);
    }

    static Identity of(String source, List<X509Certificate> chain, PrivateKey key) {
        return new Identity(source, chain, key, names(source, chain.getFirst()));
    }

    /** The names of the extension for them; where it has none, the subject's common name, as older ones do. */
    private static Set<String> names(String source, X509Certificate own) {
        Set<String> names = new TreeSet<>();
        try {
            Collection<List<?>> alternatives = own.getSubjectAlternativeNames();
            for (List<?> name : alternatives == null ? List.<List<?>>of() : alternatives) {
                if (name.get(0) instanceof Integer kind
                        && kind == DNS_NAME
                        && name.get(1) instanceof String text) {
                    names.add(text.toLowerCase(Locale.ROOT));
                }
            }
        } catch (CertificateParsingException fault) {
            throw new IllegalArgumentException(
                    "The names in the TLS certificate %s are damaged: %s"
                            .formatted(source, fault.getMessage()),
                    fault);
        }
        Matcher common = COMMON_NAME.matcher(own.getSubjectX500Principal().getName());
        if (names.isEmpty() && common.find()) {
            names.add(common.group(1).strip().toLowerCase(Locale.ROOT));
        }
        return names;
    }

    X509Certificate own() {
        return chain.getFirst();
    }

    /** The kind of its key: RSA, EC, EdDSA. */
    String algorithm() {
        return own().getPublicKey().getAlgorithm();
    }

    /** What clients will have against it at a time, whatever they ask for; null for nothing. */
    @Nullable String fault(Instant now) {
        Instant until = own().getNotAfter().toInstant();
        Instant since = own().getNotBefore().toInstant();
        if (now.isAfter(until)) {
            return "The TLS certificate %s has expired, %s: clients refuse it. Put a new one in its place"
                    .formatted(source, until);
        }
        return now.isBefore(since)
                ? "The TLS certificate %s is not valid before %s: clients refuse it until then"
                        .formatted(source, since)
                : null;
    }
}
