package dev.penstock.server.config;

import dev.penstock.http.server.TlsOptions;
import dev.penstock.http.server.TlsOptions.ClientCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of what a server speaks TLS with. */
final class CertificateOptions {
    private static final String STAPLING = "jdk.tls.server.enableStatusRequestExtension";
    private static final long MAX_PASSWORD_BYTES = 4096;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description =
                    "A PEM file with the server's certificate, and behind it those that vouch for it:"
                            + " speaks https, with HTTP/2 and HTTP/1.1. Read again when it changes.")
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "A PEM file with the private key of --tls-certificate, not encrypted.")
    private @Nullable Path key;

    @Option(
            names = "--tls-directory",
            paramLabel = "DIR",
            description =
                    "A directory of certificates for several server names: NAME.crt or NAME.pem with"
                            + " NAME.key, and directories with fullchain.pem and privkey.pem. Each says"
                            + " itself which names it is for. Read again when it changes.")
    private @Nullable Path directory;

    @Option(
            names = "--tls-key-store",
            paramLabel = "FILE",
            description =
                    "A key store of PKCS #12 with certificates and their keys. Read again when it"
                            + " changes.")
    private @Nullable Path keyStore;

    @Option(
            names = "--tls-key-store-password-file",
            paramLabel = "FILE",
            description = "A file whose first line is the password of --tls-key-store.")
    private @Nullable Path keyStorePassword;

    @Option(
            names = "--tls-client-ca",
            paramLabel = "FILE",
            description =
                    "A PEM file of authorities: clients must show a certificate of one of them. Read again"
                            + " when it changes.")
    private @Nullable Path clientAuthorities;

    @Option(
            names = "--tls-client-optional",
            description = "Clients may leave out the certificate that --tls-client-ca asks for.")
    private boolean clientOptional;

    @Option(
            names = "--tls-known-names-only",
            description =
                    "Refuses handshakes for server names that no certificate has; without, they get the"
                            + " first certificate.")
    private boolean knownNamesOnly;

    @Option(
            names = "--tls-stapling",
            description =
                    "Sends clients the word of the certificate's authority that it is not revoked (OCSP"
                            + " stapling), which the server asks it for.")
    private boolean stapling;

    /**
     * Checks the options.
     *
     * @throws StartupException if they don't belong together
     */
    void check() {
        if ((certificate == null) != (key == null)) {
            throw new StartupException(
                    "--tls-certificate and --tls-key belong together: give both, or none");
        }
        if ((keyStore == null) != (keyStorePassword == null)) {
            throw new StartupException(
                    "--tls-key-store and --tls-key-store-password-file belong together: give both, or"
                            + " none");
        }
        requireCertificates("--tls-client-ca", clientAuthorities != null);
        requireCertificates("--tls-known-names-only", knownNamesOnly);
        requireCertificates("--tls-stapling", stapling);
        if (clientOptional && clientAuthorities == null) {
            throw new StartupException(
                    "--tls-client-optional is about --tls-client-ca: give that too, or neither");
        }
    }

    private void requireCertificates(String option, boolean given) {
        if (given && !areGiven()) {
            throw new StartupException(
                    option
                            + " needs a certificate of the server: give --tls-certificate and --tls-key,"
                            + " --tls-directory or --tls-key-store");
        }
    }

    /** Returns whether there are certificates, so that TLS is spoken. */
    boolean areGiven() {
        return certificate != null || directory != null || keyStore != null;
    }

    /** Returns them for a listener; null where there are none. */
    @Nullable TlsOptions options() {
        List<TlsOptions> all = new ArrayList<>();
        if (certificate != null && key != null) {
            all.add(TlsOptions.pem(certificate, key));
        }
        if (keyStore != null && keyStorePassword != null) {
            all.add(TlsOptions.keyStore(keyStore, password(keyStorePassword)));
        }
        if (directory != null) {
            all.add(TlsOptions.directory(directory));
        }
        TlsOptions made = all.stream().reduce(TlsOptions::with).orElse(null);
        if (made == null) {
            return null;
        }
        if (clientAuthorities != null) {
            made =
                    made.withClientCertificates(
                            clientOptional
                                    ? ClientCertificates.OPTIONAL
                                    : ClientCertificates.REQUIRED,
                            clientAuthorities);
        }
        if (knownNamesOnly) {
            made = made.withKnownNamesOnly();
        }
        if (stapling) {
            // The process is the server's own, and this is how the JDK is told.
            System.setProperty(STAPLING, "true");
            made = made.withStapling();
        }
        return made;
    }

    private static String password(Path file) {
        try {
            if (Files.size(file) <= MAX_PASSWORD_BYTES) {
                return Files.readString(file).lines().findFirst().orElse("");
            }
        } catch (IOException e) {
            throw new StartupException(
                    "--tls-key-store-password-file %s can't be read (%s): check the path and its permissions"
                            .formatted(file, e.getClass().getSimpleName()),
                    e);
        }
        throw new StartupException(
                "--tls-key-store-password-file %s is longer than %d bytes: name a file that holds the password alone"
                        .formatted(file, MAX_PASSWORD_BYTES));
    }
}
