package dev.penstock.http.tls;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What a server speaks TLS with: versions 1.3 and 1.2, of that the cipher suites that HTTP/2 allows (RFC 9113, section
 * 9.2), and a certificate from files that are read again when they change. Handshakes use the latest that was good.
 * Thread-safe.
 */
public final class TlsContext {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");
    private static final int SESSIONS = 256;

    private final Path certificate;
    private final Path key;
    private final long handshakeMillis;
    private volatile SslContext current;

    /** What was seen last, good or not. */
    private PemFiles.Source seen;

    private @Nullable String fault;

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException that says what is wrong with which file, and what to do
     */
    public TlsContext(Path certificate, Path key, long handshakeMillis) {
        this.certificate = certificate;
        this.key = key;
        this.handshakeMillis = handshakeMillis;
        seen = PemFiles.Source.read(certificate, key);
        current = context(seen);
    }

    /** One for a connection. */
    public SslHandler handler(Channel channel) {
        SslHandler made = current.newHandler(channel.alloc());
        made.setHandshakeTimeout(handshakeMillis, TimeUnit.MILLISECONDS);
        return made;
    }

    /** Reads the files again, if they have changed. Blocks. */
    public synchronized void look() {
        try {
            PemFiles.Source now = PemFiles.Source.read(certificate, key);
            if (now.equals(seen) && fault == null) {
                return;
            }
            if (!now.equals(seen)) {
                seen = now;
                current = context(now);
            }
            fault = null;
        } catch (IllegalArgumentException wrong) {
            String what = String.valueOf(wrong.getMessage());
            if (!what.equals(fault)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "The certificate that was read before stays in use: " + what);
            }
            fault = what;
        }
    }

    private SslContext context(PemFiles.Source source) {
        PemFiles files = PemFiles.parse(source, certificate, key);
        X509Certificate own = files.certificates().getFirst();
        try {
            SslContext made =
                    SslContextBuilder.forServer(files.key(), files.certificates())
                            .sslProvider(SslProvider.JDK)
                            .protocols("TLSv1.3", "TLSv1.2")
                            .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                            .sessionCacheSize(SESSIONS)
                            .applicationProtocolConfig(
                                    new ApplicationProtocolConfig(
                                            ApplicationProtocolConfig.Protocol.ALPN,
                                            ApplicationProtocolConfig.SelectorFailureBehavior
                                                    .NO_ADVERTISE,
                                            ApplicationProtocolConfig
                                                    .SelectedListenerFailureBehavior.ACCEPT,
                                            ApplicationProtocolNames.HTTP_2,
                                            ApplicationProtocolNames.HTTP_1_1))
                            .build();
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "Speaks TLS as {0}, until {1}",
                    own.getSubjectX500Principal(),
                    own.getNotAfter().toInstant());
            return made;
        } catch (SSLException failure) {
            throw new IllegalArgumentException(
                    "The TLS certificate %s can't be used: %s"
                            .formatted(certificate, failure.getMessage()),
                    failure);
        }
    }
}
