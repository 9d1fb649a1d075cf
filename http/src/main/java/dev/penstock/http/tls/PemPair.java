package dev.penstock.http.tls;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A certificate and its key in PEM files. */
final class PemPair extends CertificateSource {
    private final Path certificate;
    private final Path key;

    PemPair(Path certificate, Path key) {
        this.certificate = certificate;
        this.key = key;
    }

    @Override
    void read(Consumer<Entry> each) {
        each.accept(entry(certificate, key));
    }

    static Entry entry(Path certificate, Path key) {
        String name = certificate.toString();
        try {
            PemFiles.Source source = PemFiles.Source.read(certificate, key);
            return new Entry(
                    name, source.digest(), () -> List.of(identity(source, certificate, key)));
        } catch (IllegalArgumentException fault) {
            return Entry.broken(name, fault);
        }
    }

    private static Identity identity(PemFiles.Source source, Path certificate, Path key) {
        PemFiles files = PemFiles.parse(source, certificate, key);
        return Identity.of(certificate.toString(), files.certificates(), files.key());
    }
}
