package dev.penstock.http.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The identities of a listener, and the choice among them for a handshake: by the server name that the client asks for
 * (RFC 6066, section 3), of those for that name by the kinds of keys that it takes. A name that none has, or none at
 * all, gets the default, which is the first identity with those for the same names. Immutable; thread-safe.
 */
final class Identities extends X509ExtendedKeyManager {
    private final List<Identity> all;
    private final Map<String, List<Identity>> byName = new HashMap<>();
    private final List<Identity> byDefault;
    private final IdentityHashMap<Identity, String> aliases = new IdentityHashMap<>();

    /**
     * @param all in order: where several are for the same name and have keys of the same kind, the first is used
     */
    Identities(List<Identity> all) {
        this.all = List.copyOf(all);
        for (Identity identity : all) {
            aliases.put(identity, Integer.toString(aliases.size()));
            for (String name : identity.names()) {
                byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(identity);
            }
        }
        Identity first = all.getFirst();
        byDefault =
                all.stream().filter(identity -> identity.names().equals(first.names())).toList();
    }

    List<Identity> all() {
        return all;
    }

    /** Those for a name: exactly it, or else by an asterisk in the place of its first label; empty where none is. */
    private List<Identity> named(String name) {
        List<Identity> exact = byName.get(name);
        int dot = name.indexOf('.');
        return exact != null || dot <= 0
                ? exact == null ? List.of() : exact
                : byName.getOrDefault("*" + name.substring(dot), List.of());
    }

    /** Returns whether one is for that name. */
    boolean has(String name) {
        return !named(name.toLowerCase(Locale.ROOT)).isEmpty();
    }

    @Nullable Identity choose(@Nullable String name, String algorithm) {
        List<Identity> fit = name == null ? List.of() : named(name.toLowerCase(Locale.ROOT));
        for (Identity identity : fit.isEmpty() ? byDefault : fit) {
            if (identity.algorithm().equals(algorithm)) {
                return identity;
            }
        }
        return null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String algorithm, Principal @Nullable [] issuers, SSLEngine engine) {
        String name = null;
        if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
            for (SNIServerName requested : session.getRequestedServerNames()) {
                if (requested instanceof SNIHostName host) {
                    name = host.getAsciiName();
                }
            }
        }
        Identity chosen = choose(name, algorithm);
        return chosen == null ? null : aliases.get(chosen);
    }

    private Identity at(String alias) {
        return all.get(Integer.parseInt(alias));
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return at(alias).chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return at(alias).key();
    }

    // What a server with engines is not asked for.

    @Override
    public String @Nullable [] getServerAliases(String algorithm, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
            String algorithm, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String algorithm, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] algorithms, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
