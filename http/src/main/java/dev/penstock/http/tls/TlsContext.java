package dev.penstock.http.tls;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A listener's TLS: versions 1.3 and 1.2, of that the cipher suites that HTTP/2 allows (RFC 9113, section 9.2), and
 * certificates from places that are read again when they change, or a context of the application's own. Handshakes use
 * the latest that was good. Thread-safe.
 */
public final class TlsContext {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");
    private static final String STAPLING = "jdk.tls.server.enableStatusRequestExtension";
    private static final int SESSIONS = 256;
    private static final int MOST_TOLD = 10;

    private final TlsSettings settings;

    /** Guarded by this object. */
    private final LoadedCertificates certificates;

    /** What was said of the files the last time. Guarded by this object. */
    private Set<String> told = Set.of();

    private volatile Current current;

    /**
     * The contexts that handshakes use now.
     *
     * @param matcher judges the server names that clients ask for; null where the application's context does
     */
    private record Current(SSLContext jdk, SslContext context, @Nullable SNIMatcher matcher) {}

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException that says what is wrong with which file, and what to do
     */
    public TlsContext(TlsSettings settings) {
        this.settings = settings;
        if (settings.stapling() && !staples()) {
            throw new IllegalArgumentException(
                    "OCSP stapling is a matter of the whole JVM: start it with -D"
                            + STAPLING
                            + "=true");
        }
        certificates = new LoadedCertificates(settings.sources(), settings.authorities());
        Supplier<SSLContext> given = settings.given();
        LoadedCertificates.Outcome outcome = certificates.read();
        if (!outcome.faults().isEmpty()) {
            throw new IllegalArgumentException(outcome.faults().getFirst());
        }
        current = given == null ? context() : context(given.get(), null);
        tell(outcome);
    }

    /** Returns whether the JDK's contexts ask for responses of OCSP, and have handshakes wait for them. */
    private static boolean staples() {
        return Boolean.getBoolean(STAPLING);
    }

    /** One for a connection. */
    public SslHandler handler(Channel channel) {
        Current used = current;
        SslHandler made =
                staples()
                        ? used.context.newHandler(channel.alloc(), apart())
                        : used.context.newHandler(channel.alloc());
        made.setHandshakeTimeoutMillis(settings.handshakeTimeout().toMillis());
        if (used.matcher != null) {
            SSLEngine engine = made.engine();
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setSNIMatchers(List.of(used.matcher));
            engine.setSSLParameters(parameters);
        }
        return made;
    }

    /** Not on the event loop: the JDK asks another server, and waits for it. */
    private static Executor apart() {
        return task -> Thread.ofVirtual().name("penstock-tls-handshake").start(task);
    }

    /** Reads the files again, and uses what has changed and is in order. Logs what is not, once. Blocks. */
    public synchronized void look() {
        LoadedCertificates.Outcome outcome = certificates.read();
        List<String> faults = use(outcome);
        for (String fault : faults) {
            if (!told.contains(fault)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "The certificate that was read before stays in use: " + fault);
            }
        }
        told = new HashSet<>(faults);
    }

    /**
     * Reads the files again, whether or not they are looked at anyway, and uses what has changed and is in order; has
     * the application's own context made anew. Blocks.
     *
     * @return whether anything has changed
     * @throws IllegalArgumentException that says what is not in order: there, what was read before stays in use
     */
    public synchronized boolean reload() {
        Supplier<SSLContext> given = settings.given();
        LoadedCertificates.Outcome outcome = certificates.read();
        List<String> faults = use(outcome);
        boolean changed = outcome.changed();
        if (given != null) {
            SSLContext made = given.get();
            changed |= !made.equals(current.jdk);
            current = context(made, null);
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
        return changed;
    }

    private List<String> use(LoadedCertificates.Outcome outcome) {
        if (outcome.changed()) {
            current = context();
            tell(outcome);
        }
        return outcome.faults();
    }

    private void tell(LoadedCertificates.Outcome outcome) {
        Instant now = Instant.now();
        List<Identity> fresh = outcome.fresh();
        for (Identity identity : fresh.subList(0, Math.min(fresh.size(), MOST_TOLD))) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "Speaks TLS as {0}, until {1}",
                    identity.own().getSubjectX500Principal(),
                    identity.own().getNotAfter().toInstant());
        }
        if (fresh.size() > MOST_TOLD) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "Speaks TLS with {0} more certificates",
                    fresh.size() - MOST_TOLD);
        }
        for (Identity identity : fresh) {
            String fault = identity.fault(now);
            if (fault != null) {
                LOGGER.log(System.Logger.Level.WARNING, fault);
            }
            if (settings.stapling() && identity.chain().size() < 2) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "No OCSP response can be had for {0}: the certificate of its issuer is not behind it",
                        identity.source());
            }
        }
    }

    private Current context() {
        Identities identities = new Identities(certificates.identities());
        try {
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(new KeyManager[] {identities}, trust(certificates.authorities()), null);
            made.getServerSessionContext().setSessionCacheSize(SESSIONS);
            return context(made, new NameMatcher(identities, settings.knownNamesOnly()));
        } catch (GeneralSecurityException | IOException failure) {
            throw new IllegalArgumentException(
                    "The TLS certificates can't be used: " + failure.getMessage(), failure);
        }
    }

    /** None at all where clients need no certificate: the JDK's default would trust every public authority. */
    private static TrustManager[] trust(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        if (authorities.isEmpty()) {
            return new TrustManager[0];
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority" + i, authorities.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return factory.getTrustManagers();
    }

    private Current context(SSLContext jdk, @Nullable SNIMatcher matcher) {
        SslContext made =
                new JdkSslContext(
                        jdk,
                        false,
                        Http2SecurityUtil.CIPHERS,
                        SupportedCipherSuiteFilter.INSTANCE,
                        new ApplicationProtocolConfig(
                                ApplicationProtocolConfig.Protocol.ALPN,
                                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                                settings.protocols()),
                        settings.clients(),
                        new String[] {"TLSv1.3", "TLSv1.2"},
                        false);
        return new Current(jdk, made, matcher);
    }

    /**
     * A judge of server names. As there is one, the JDK resumes sessions only for the name with which they began.
     */
    private static final class NameMatcher extends SNIMatcher {
        private final Identities identities;
        private final boolean knownOnly;

        NameMatcher(Identities identities, boolean knownOnly) {
            super(StandardConstants.SNI_HOST_NAME);
            this.identities = identities;
            this.knownOnly = knownOnly;
        }

        @Override
        public boolean matches(SNIServerName name) {
            return !knownOnly
                    || (name instanceof SNIHostName host && identities.has(host.getAsciiName()));
        }
    }
}
