package dev.penstock.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A key store, in a file of PKCS #12 (RFC 7292) or in memory: each of its keys with a certificate is an identity. */
final class CertificateStore extends CertificateSource {
    private final @Nullable Path file;
    private final @Nullable KeyStore given;
    private final char[] password;

    private CertificateStore(@Nullable Path file, @Nullable KeyStore given, char[] password) {
        this.file = file;
        this.given = given;
        this.password = password.clone();
    }

    static CertificateStore of(Path file, char[] password) {
        return new CertificateStore(file, null, password);
    }

    static CertificateStore of(KeyStore given, char[] password) {
        return new CertificateStore(null, given, password);
    }

    @Override
    void read(Consumer<Entry> each) {
        Path path = file;
        KeyStore known = given;
        if (path != null) {
            each.accept(entry(path));
        } else if (known != null) {
            each.accept(new Entry("key store", "", () -> identities("key store", known)));
        }
    }

    private Entry entry(Path path) {
        String name = path.toString();
        try {
            byte[] bytes = TlsFile.read(path, "key store");
            return new Entry(
                    name,
                    TlsFile.digest(TlsFile.text(bytes)),
                    () -> identities(name, load(bytes, name)));
        } catch (IllegalArgumentException fault) {
            return Entry.broken(name, fault);
        }
    }

    private KeyStore load(byte[] bytes, String name) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(bytes), password);
            return store;
        } catch (GeneralSecurityException | IOException fault) {
            throw new IllegalArgumentException(
                    fault.getCause() instanceof UnrecoverableKeyException
                            ? "The password of the TLS key store " + name + " is another one"
                            : ("The TLS key store %s is not PKCS #12, or is damaged: %s. Make one by:"
                                            + " openssl pkcs12 -export -in CERTIFICATE -inkey KEY -out FILE")
                                    .formatted(name, fault.getMessage()),
                    fault);
        }
    }

    private List<Identity> identities(String name, KeyStore store) {
        List<Identity> found = new ArrayList<>();
        try {
            for (String alias : new TreeSet<>(Collections.list(store.aliases()))) {
                Certificate[] chain = store.getCertificateChain(alias);
                if (chain != null && store.getKey(alias, password) instanceof PrivateKey key) {
                    List<X509Certificate> certificates =
                            Stream.of(chain).map(X509Certificate.class::cast).toList();
                    found.add(Identity.of(name + " (" + alias + ")", certificates, key));
                }
            }
        } catch (GeneralSecurityException | ClassCastException fault) {
            throw new IllegalArgumentException(
                    "A key in the TLS %s can't be used: %s. Its password must be that of the store"
                            .formatted(name, fault.getMessage()),
                    fault);
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    "The TLS %s holds no private key with a certificate".formatted(name));
        }
        return found;
    }
}
