package dev.penstock.http.tls;

import io.netty.handler.ssl.ClientAuth;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of a listener; {@code TlsOptions} of the builder says what each means.
 *
 * @param sources of certificates, none where a context is given
 * @param given makes the application's own context; null where there is none
 * @param clients whether clients are to show a certificate
 * @param authorities a PEM file of those whose certificates clients may show; null where the context knows
 * @param knownNamesOnly whether a handshake fails that asks for a name that no certificate has
 * @param stapling whether responses of OCSP are wanted
 * @param protocols those that are offered by ALPN, the preferred one first
 * @param handshakeTimeout for a whole handshake
 */
public record TlsSettings(
        List<CertificateSource> sources,
        @Nullable Supplier<SSLContext> given,
        ClientAuth clients,
        @Nullable Path authorities,
        boolean knownNamesOnly,
        boolean stapling,
        List<String> protocols,
        Duration handshakeTimeout) {
    public TlsSettings {
        sources = List.copyOf(sources);
        protocols = List.copyOf(protocols);
    }
}
