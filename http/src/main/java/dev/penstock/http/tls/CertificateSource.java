package dev.penstock.http.tls;

import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A place where certificates and their keys are. Immutable; thread-safe. */
public abstract sealed class CertificateSource
        permits CertificateDirectory, CertificateStore, PemPair {
    CertificateSource() {}

    /** Two PEM files, which may be the same. */
    public static CertificateSource pem(Path certificate, Path key) {
        return new PemPair(certificate, key);
    }

    /** A directory of pairs of PEM files. */
    public static CertificateSource directory(Path directory) {
        return new CertificateDirectory(directory);
    }

    /** A file of PKCS #12 or of the JDK's own format. */
    public static CertificateSource store(Path file, char[] password) {
        return CertificateStore.of(file, password);
    }

    /** A key store that the application has made. */
    public static CertificateSource store(KeyStore store, char[] password) {
        return CertificateStore.of(store, password);
    }

    /**
     * Reads what is there now, entry by entry, so that only one at a time is in memory with what its files hold.
     * Blocks.
     *
     * @param each takes the next entry, and must not keep it
     */
    abstract void read(Consumer<Entry> each);

    /**
     * An entry of a source, one pair or file.
     *
     * @param name what it is called in messages, which stays the same when the content changes
     * @param state differs from what it was before if there is anything to read again
     * @param parse makes identities of it; throws an {@link IllegalArgumentException} that says what is wrong
     */
    record Entry(String name, String state, Supplier<List<Identity>> parse) {
        /** One that could not be read at all. */
        static Entry broken(String name, IllegalArgumentException fault) {
            return new Entry(
                    name,
                    String.valueOf(fault.getMessage()),
                    () -> {
                        throw fault;
                    });
        }
    }
}
