package dev.penstock.server.config;

import dev.penstock.http.server.HttpProtocol;
import dev.penstock.http.server.Listener;
import dev.penstock.http.server.TlsOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place where the server listens: that of {@code --host} and {@code --port}, or one of {@code --listen}.
 *
 * @param option as it was given, for messages
 * @param socket the path of a Unix domain socket; null for TCP
 * @param host the address; empty for a Unix domain socket
 * @param port 0 for any that is free
 * @param tls whether it speaks TLS
 * @param protocol the only one that it speaks; null for both
 * @param mode the permissions of the socket's file; null for the owner's alone
 */
public record ListenPlace(
        String option,
        @Nullable Path socket,
        String host,
        int port,
        boolean tls,
        @Nullable HttpProtocol protocol,
        @Nullable String mode) {
    private static final String UNIX = "unix:";
    private static final String MODE = "mode=";
    private static final String LOOPBACK = "127.0.0.1";

    /** The place of {@code --host} and {@code --port}. */
    static ListenPlace tcp(String host, int port, boolean tls) {
        return new ListenPlace("--port " + port, null, host, port, tls, null, null);
    }

    /**
     * Reads the value of {@code --listen}: {@code PORT}, {@code HOST:PORT} or {@code unix:PATH}, and behind it {@code
     * ,tls}, {@code ,http1}, {@code ,http2} and {@code ,mode=660}.
     *
     * @throws StartupException that says what is wrong with it
     */
    static ListenPlace parse(String text) {
        String option = "--listen " + text;
        String[] parts = text.split(",", -1);
        boolean tls = false;
        HttpProtocol protocol = null;
        String mode = null;
        for (String part : List.of(parts).subList(1, parts.length)) {
            if (part.equals("tls")) {
                tls = true;
            } else if (part.equals("http1") || part.equals("http2")) {
                if (protocol != null) {
                    throw new StartupException(
                            option + ": give http1 or http2, or neither to speak both");
                }
                protocol = part.equals("http1") ? HttpProtocol.HTTP_1_1 : HttpProtocol.HTTP_2;
            } else if (part.startsWith(MODE)) {
                mode = part.substring(MODE.length());
            } else {
                throw new StartupException(
                        "%s: '%s' is none of tls, http1, http2 and mode=660"
                                .formatted(option, part));
            }
        }
        if (parts[0].startsWith(UNIX)) {
            Path socket = socket(option, parts[0].substring(UNIX.length()));
            return new ListenPlace(option, socket, "", -1, tls, protocol, mode);
        }
        if (mode != null) {
            throw new StartupException(
                    option + ": mode is for unix:PATH, as a port has no file; leave it out");
        }
        return internet(option, parts[0], tls, protocol);
    }

    private static Path socket(String option, String path) {
        try {
            if (!path.isEmpty()) {
                return Path.of(path);
            }
        } catch (InvalidPathException e) {
            throw new StartupException(option + ": the path is malformed: " + e.getReason(), e);
        }
        throw new StartupException(option + ": give a path, such as unix:/run/penstock.sock");
    }

    private static ListenPlace internet(
            String option, String place, boolean tls, @Nullable HttpProtocol protocol) {
        int colon = place.lastIndexOf(':');
        String host = colon < 0 ? LOOPBACK : place.substring(0, colon);
        String digits = place.substring(colon + 1);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new StartupException(
                    option + ": put an IPv6 address into brackets, such as [::1]:8080");
        }
        if (host.isEmpty() || !digits.matches("\\d{1,5}") || Integer.parseInt(digits) > 65_535) {
            throw new StartupException(
                    option
                            + " is no place to listen: write PORT, HOST:PORT or unix:PATH, with a port from 0"
                            + " to 65535");
        }
        return new ListenPlace(option, null, host, Integer.parseInt(digits), tls, protocol, null);
    }

    /**
     * Checks that the host is known here.
     *
     * @return whether others than this machine can reach it
     */
    boolean isOpenToOthers() {
        if (socket != null) {
            return false;
        }
        try {
            return !InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new StartupException(
                    option.startsWith("--port")
                            ? "--host " + host + " is unknown: give an address of this machine"
                            : option + ": the host is unknown: give an address of this machine",
                    e);
        }
    }

    /**
     * Makes the listener of it.
     *
     * @param options null where nothing speaks TLS
     */
    Listener listener(@Nullable TlsOptions options) {
        Listener made =
                socket == null ? Listener.tcp(port).withAddress(host) : Listener.unix(socket);
        if (mode != null) {
            try {
                made = made.withPermissions(mode);
            } catch (IllegalArgumentException e) {
                throw new StartupException(option + ": " + e.getMessage(), e);
            }
        }
        if (protocol != null) {
            made = made.withProtocols(protocol);
        }
        return tls && options != null ? made.withTls(options) : made;
    }

    /** Returns its listener without TLS, to see whether it can be had. */
    public Listener plainListener() {
        return listener(null);
    }

    /** Returns the scheme of its URLs. */
    public String scheme() {
        return tls ? "https" : "http";
    }
}
