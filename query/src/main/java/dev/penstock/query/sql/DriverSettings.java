package dev.penstock.query.sql;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * Connection properties that bound what a database sends ahead of its reader. Left alone, an operating system lets a socket's receive
 * buffer grow (on Linux by default to 6 MB, often to 32 MB), and a database fills it however slowly the rows are wanted: a hundred
 * slow clients then cost gigabytes of the kernel's memory, and the time to fill them.
 */
public final class DriverSettings {
    /** The most that a connection's socket holds, in bytes; the kernel may double it. */
    static final int RECEIVE_BUFFER_BYTES = 64 * 1024;

    /** By the word after {@code jdbc:}, how the driver calls the size of the receive buffer. */
    private static final Map<String, String> RECEIVE_BUFFER =
            Map.of(
                    "postgresql", "receiveBufferSize",
                    "mariadb", "tcpRcvBuf",
                    "mysql", "tcpRcvBuf");

    private DriverSettings() {}

    /**
     * Properties to connect with, for the driver of a URL; none where nothing needs to be set, the driver is not known, or the URL
     * sets it already.
     *
     * @param url a JDBC URL
     * @return new properties, the caller's own
     */
    public static Properties of(String url) {
        Properties properties = new Properties();
        String[] parts = url.split(":", 3);
        String scheme = parts.length == 3 ? parts[1].toLowerCase(Locale.ROOT) : "";
        String name = RECEIVE_BUFFER.get(scheme);
        if (name != null
                && !url.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT) + "=")) {
            properties.setProperty(name, Integer.toString(RECEIVE_BUFFER_BYTES));
        }
        return properties;
    }
}
