package dev.penstock.http.server;

import dev.penstock.http.tls.CertificateSource;
import dev.penstock.http.tls.TlsSettings;
import io.netty.handler.ssl.ClientAuth;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of a {@link Listener}: versions 1.3 and 1.2, certificates by server name, and whether clients show
 * certificates too. Immutable; thread-safe.
 *
 * <p>A certificate says itself which server names it is for, with {@code *.} for any one label (RFC 9525). A client
 * gets one for the name that it asks for, with a key of a kind that it takes, so that RSA and EC may stand side by
 * side; one that asks for no name, or for another, gets the first, which is the default.
 *
 * <p>Files are looked at every 5 s, and at {@link Server#reloadTls}. What has changed serves new connections;
 * those that are open keep theirs. What is not in order is logged, and what was there before stays in use.
 */
public final class TlsOptions {
    /** A policy on certificates of clients. */
    public enum ClientCertificates {
        /** They may: who shows one that is not in order is refused, who shows none is not. */
        OPTIONAL,
        /** They must: who shows none, or one that is not in order, is refused in the handshake. */
        REQUIRED
    }

    private final List<CertificateSource> sources;
    private final @Nullable Supplier<SSLContext> context;
    private final @Nullable ClientCertificates clients;
    private final @Nullable Path authorities;
    private final boolean knownNamesOnly;
    private final boolean stapling;

    private TlsOptions(
            List<CertificateSource> sources,
            @Nullable Supplier<SSLContext> context,
            @Nullable ClientCertificates clients,
            @Nullable Path authorities,
            boolean knownNamesOnly,
            boolean stapling) {
        this.sources = List.copyOf(sources);
        this.context = context;
        this.clients = clients;
        this.authorities = authorities;
        this.knownNamesOnly = knownNamesOnly;
        this.stapling = stapling;
    }

    private static TlsOptions of(CertificateSource source) {
        return new TlsOptions(List.of(source), null, null, null, false, false);
    }

    /**
     * A certificate and its key.
     *
     * @param certificate a PEM file with the server's certificate, and behind it those that vouch for it
     * @param key a PEM file with its private key, not encrypted; it may be the same file
     */
    public static TlsOptions pem(Path certificate, Path key) {
        return of(CertificateSource.pem(certificate, key));
    }

    /**
     * All certificates of a directory: {@code NAME.crt} or {@code NAME.pem} with {@code NAME.key}, a {@code NAME.pem}
     * with both, and directories with {@code fullchain.pem} and {@code privkey.pem}. Names of files mean nothing but
     * for their order; the first is the default. At most 10,000 entries. One that is added later is used too; one that
     * is taken away is not.
     */
    public static TlsOptions directory(Path directory) {
        return of(CertificateSource.directory(directory));
    }

    /**
     * All certificates with keys in a key store's file of PKCS #12, in the order of their aliases.
     *
     * @param password the file's, and that of each key
     */
    public static TlsOptions keyStore(Path file, String password) {
        return of(CertificateSource.store(file, password.toCharArray()));
    }

    /**
     * All certificates with keys in a key store, in the order of their aliases.
     *
     * @param password that of each key
     */
    public static TlsOptions keyStore(KeyStore store, String password) {
        return of(CertificateSource.store(store, password.toCharArray()));
    }

    /**
     * A context of the application's own, whose key manager chooses certificates, and whose trust manager checks those
     * of clients. Protocols, cipher suites and ALPN are as without.
     *
     * @param context called when the server starts, and at each {@link Server#reloadTls}; on that thread
     */
    public static TlsOptions context(Supplier<SSLContext> context) {
        return new TlsOptions(List.of(), context, null, null, false, false);
    }

    /**
     * The same with the certificates of further options, which apply after those here.
     *
     * @param others certificates and nothing else: what is demanded of clients, and stapling, is for all certificates
     *     of a listener, and is to be said of the whole
     * @throws IllegalArgumentException if the others demand certificates of clients, known names or stapling; if either
     *     has a context of the application's own
     */
    public TlsOptions with(TlsOptions others) {
        if (context != null || others.context != null) {
            throw new IllegalArgumentException(
                    "Where the application has a context of its own, that has all the certificates");
        }
        if (others.clients != null || others.knownNamesOnly || others.stapling) {
            throw new IllegalArgumentException(
                    ("with(..) takes no more than certificates of other options, which have %s"
                                    + " too: call that on what with(..) returns")
                            .formatted(others.demand()));
        }
        List<CertificateSource> all = new ArrayList<>(sources);
        all.addAll(others.sources);
        return new TlsOptions(all, null, clients, authorities, knownNamesOnly, stapling);
    }

    private String demand() {
        if (clients != null) {
            return "withClientCertificates(..)";
        }
        return knownNamesOnly ? "withKnownNamesOnly()" : "withStapling()";
    }

    /**
     * The same with certificates of clients; {@link dev.penstock.http.Exchange#clientCertificates} has them.
     *
     * @param authorities a PEM file of those whose certificates are taken
     * @throws IllegalArgumentException if the application has a context of its own, whose trust manager decides that
     */
    public TlsOptions withClientCertificates(ClientCertificates demand, Path authorities) {
        if (context != null) {
            throw new IllegalArgumentException(
                    "Where the application has a context of its own, its trust manager decides whose"
                            + " certificates are taken: call withClientCertificates without a file");
        }
        return new TlsOptions(sources, null, demand, authorities, knownNamesOnly, stapling);
    }

    /**
     * The same with certificates of clients that the application's own context checks.
     *
     * @throws IllegalArgumentException if it has none
     */
    public TlsOptions withClientCertificates(ClientCertificates demand) {
        if (context == null) {
            throw new IllegalArgumentException(
                    "Whose certificates clients may show is not known: give a file of authorities too");
        }
        return new TlsOptions(sources, context, demand, null, knownNamesOnly, stapling);
    }

    /**
     * The same, but a handshake that asks for a name that no certificate has fails, with the alert {@code
     * unrecognized_name}. One that asks for none still gets the default.
     *
     * @throws IllegalArgumentException if the application has a context of its own
     */
    public TlsOptions withKnownNamesOnly() {
        if (context != null) {
            throw new IllegalArgumentException(
                    "Which names are known is a matter of the application's own context");
        }
        return new TlsOptions(sources, null, clients, authorities, true, stapling);
    }

    /**
     * The same with OCSP stapling (RFC 6066, section 8): clients that ask for it get the word of the certificate's
     * authority that it is not revoked. The JDK asks the authority, and keeps its answer for up to an hour; while it
     * waits, at most 5 s, so does the handshake. This is a matter of the whole JVM, which is to be started with {@code
     * -Djdk.tls.server.enableStatusRequestExtension=true}; without, the server does not start.
     */
    public TlsOptions withStapling() {
        return new TlsOptions(sources, context, clients, authorities, knownNamesOnly, true);
    }

    TlsSettings settings(List<String> protocols, Duration handshakeTimeout) {
        return new TlsSettings(
                sources,
                context,
                switch (clients) {
                    case null -> ClientAuth.NONE;
                    case OPTIONAL -> ClientAuth.OPTIONAL;
                    case REQUIRED -> ClientAuth.REQUIRE;
                },
                authorities,
                knownNamesOnly,
                stapling,
                protocols,
                handshakeTimeout);
    }
}
