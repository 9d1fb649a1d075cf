package dev.penstock.http.server;

import dev.penstock.http.http1.ProtocolPolicy;
import dev.penstock.http.limits.Bounds;
import dev.penstock.http.tls.TlsSettings;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A place where a server listens, and what it speaks there. Unless said otherwise: plain text, HTTP/1.1 and HTTP/2 as
 * the client begins; TCP on 127.0.0.1; a Unix domain socket for the user of the process alone. All other settings, and
 * all routes and limits, are the server's. Immutable; thread-safe.
 *
 * <pre>{@code
 * Server.builder()
 *         .listener(Listener.tls(443, TlsOptions.pem(certificate, key)).withAddress("0.0.0.0"))
 *         .listener(Listener.unix(Path.of("/run/shop/http.sock")).withPermissions("rw-rw----"))
 * }</pre>
 */
public final class Listener {
    private static final String LOOPBACK = "127.0.0.1";

    private final String address;
    private final int port;

    /** Null on TCP. */
    private final @Nullable Path path;

    private final @Nullable Set<PosixFilePermission> permissions;
    private final @Nullable TlsOptions tls;
    private final Set<HttpProtocol> protocols;

    private Listener(
            String address,
            int port,
            @Nullable Path path,
            @Nullable Set<PosixFilePermission> permissions,
            @Nullable TlsOptions tls,
            Set<HttpProtocol> protocols) {
        this.address = address;
        this.port = port;
        this.path = path;
        this.permissions = permissions;
        this.tls = tls;
        this.protocols = protocols;
    }

    /**
     * A TCP port of 127.0.0.1.
     *
     * @param port 0 takes any that is free; {@link Server#addresses} tells which
     */
    public static Listener tcp(int port) {
        return new Listener(
                LOOPBACK,
                Bounds.within("port", port, 0, 65_535),
                null,
                null,
                null,
                EnumSet.allOf(HttpProtocol.class));
    }

    /** A TCP port of 127.0.0.1 that speaks TLS. */
    public static Listener tls(int port, TlsOptions tls) {
        return tcp(port).withTls(tls);
    }

    /**
     * A Unix domain socket. When the server starts, a file of such a socket that is left there, and at which nobody
     * listens, is replaced; any other file is an error. When it stops, the file is deleted. Nobody but the user of the
     * process may connect, unless {@link #withPermissions} says so.
     *
     * <p>Clients there have no address: {@link dev.penstock.http.Exchange#remoteAddress} is {@code unix}, and together
     * they are one client for {@link ServerBuilder#clientConnections} and the like, on this machine. Where a proxy
     * connects, give {@link ServerBuilder#proxies} the name {@code unix}.
     */
    public static Listener unix(Path path) {
        return new Listener("", 0, path, null, null, EnumSet.allOf(HttpProtocol.class));
    }

    /**
     * The same on another address, or name, of this machine; {@code 0.0.0.0} for all.
     *
     * @throws IllegalArgumentException if it is a Unix domain socket
     */
    public Listener withAddress(String other) {
        if (path != null) {
            throw new IllegalArgumentException("A Unix domain socket has a path and no address");
        }
        return new Listener(other, port, null, null, tls, protocols);
    }

    /** The same with the TLS of another, if it has any. */
    Listener withTlsOf(Listener other) {
        return new Listener(address, port, path, permissions, other.tls, protocols);
    }

    /** The same with TLS. */
    public Listener withTls(TlsOptions options) {
        return new Listener(address, port, path, permissions, options, protocols);
    }

    /**
     * The same with these protocols alone. What is sent in another is answered: requests of HTTP/1 with 505, HTTP/2
     * with {@code GOAWAY} and {@code HTTP_1_1_REQUIRED}. ALPN offers these alone.
     */
    public Listener withProtocols(HttpProtocol first, HttpProtocol... others) {
        return new Listener(address, port, path, permissions, tls, EnumSet.of(first, others));
    }

    /**
     * The same with other permissions of the socket's file: who may write to it may connect.
     *
     * @param mode such as {@code rw-rw----}, which {@code ls -l} shows, or in octal, {@code 660}
     * @throws IllegalArgumentException if it is not of that form, or this is no Unix domain socket
     */
    public Listener withPermissions(String mode) {
        if (path == null) {
            throw new IllegalArgumentException("A TCP port has no file, so no permissions");
        }
        return new Listener(address, port, path, permissions(mode), tls, protocols);
    }

    private static Set<PosixFilePermission> permissions(String mode) {
        if (mode.matches("0?[0-7]{3}")) {
            int bits = Integer.parseInt(mode, 8);
            Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
            // From the owner's right to read on, as the constants are.
            int bit = 0400;
            for (PosixFilePermission permission : PosixFilePermission.values()) {
                if ((bits & bit) != 0) {
                    set.add(permission);
                }
                bit >>= 1;
            }
            return set;
        }
        try {
            return PosixFilePermissions.fromString(mode);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The permissions '%s' are of no known form: write rw-rw---- or 660"
                            .formatted(mode),
                    e);
        }
    }

    // What the server asks.

    String address() {
        return address;
    }

    int port() {
        return port;
    }

    @Nullable Path path() {
        return path;
    }

    Set<PosixFilePermission> permissions() {
        return permissions == null ? SocketFile.OWNER_ONLY : permissions;
    }

    ProtocolPolicy policy() {
        if (!protocols.contains(HttpProtocol.HTTP_2)) {
            return ProtocolPolicy.HTTP_1_ONLY;
        }
        return protocols.contains(HttpProtocol.HTTP_1_1)
                ? ProtocolPolicy.BOTH
                : ProtocolPolicy.HTTP_2_ONLY;
    }

    /** Null for plain text. */
    @Nullable TlsSettings tlsSettings(Duration handshakeTimeout) {
        List<String> offered =
                List.of(HttpProtocol.HTTP_2, HttpProtocol.HTTP_1_1).stream()
                        .filter(protocols::contains)
                        .map(HttpProtocol::alpn)
                        .toList();
        return tls == null ? null : tls.settings(offered, handshakeTimeout);
    }

    /** As messages name it. */
    @Override
    public String toString() {
        return path == null ? address + " port " + port : "the Unix socket " + path;
    }
}
