package dev.penstock.http.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a listener as they were read last, and those of the authorities that its clients' are from. What
 * has changed and is in order takes the place of what was there before; what is not in order leaves it. For one thread
 * at a time.
 */
final class LoadedCertificates {
    private final List<CertificateSource> sources;
    private final @Nullable Path authoritiesFile;

    /** What each source had, by the names of its entries. */
    private final List<Map<String, Known>> known = new ArrayList<>();

    private String authoritiesState = "";
    private List<X509Certificate> authorities = List.of();

    LoadedCertificates(List<CertificateSource> sources, @Nullable Path authorities) {
        this.sources = sources;
        authoritiesFile = authorities;
        sources.forEach(_ -> known.add(Map.of()));
    }

    /** An entry of a source that was in order. */
    private record Known(String state, List<Identity> identities) {}

    /**
     * The result of reading.
     *
     * @param fresh identities that were not there before
     * @param changed whether anything is not as before
     * @param faults what is not in order, a sentence each
     */
    record Outcome(List<Identity> fresh, boolean changed, List<String> faults) {}

    /** All identities, in order. */
    List<Identity> identities() {
        List<Identity> all = new ArrayList<>();
        for (Map<String, Known> source : known) {
            source.values().forEach(entry -> all.addAll(entry.identities));
        }
        return all;
    }

    /** Whose certificates clients may show. */
    List<X509Certificate> authorities() {
        return authorities;
    }

    /** Reads everything again. Blocks. */
    Outcome read() {
        List<Identity> fresh = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        boolean changed = false;
        for (int i = 0; i < sources.size(); i++) {
            Map<String, Known> before = known.get(i);
            Map<String, Known> now = read(sources.get(i), before, fresh, faults);
            if (!now.isEmpty()) {
                changed |= !now.equals(before);
                known.set(i, now);
            }
        }
        changed |= readAuthorities(faults);
        return new Outcome(fresh, changed, faults);
    }

    private static Map<String, Known> read(
            CertificateSource source,
            Map<String, Known> before,
            List<Identity> fresh,
            List<String> faults) {
        Map<String, Known> now = new LinkedHashMap<>();
        source.read(entry -> {
            Known had = before.get(entry.name());
            if (had == null || !had.state.equals(entry.state())) {
                try {
                    List<Identity> found = entry.parse().get();
                    fresh.addAll(found);
                    had = new Known(entry.state(), found);
                } catch (IllegalArgumentException fault) {
                    faults.add(String.valueOf(fault.getMessage()));
                }
            }
            if (had != null) {
                now.put(entry.name(), had);
            }
        });
        return now;
    }

    private boolean readAuthorities(List<String> faults) {
        Path file = authoritiesFile;
        if (file == null) {
            return false;
        }
        try {
            String text = TlsFile.text(TlsFile.read(file, "client authorities"));
            String state = TlsFile.digest(text);
            if (state.equals(authoritiesState)) {
                return false;
            }
            authorities = PemFiles.certificates(text, file);
            authoritiesState = state;
            return true;
        } catch (IllegalArgumentException fault) {
            faults.add(String.valueOf(fault.getMessage()));
            return false;
        }
    }
}
