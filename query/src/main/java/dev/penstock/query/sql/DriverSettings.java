package dev.penstock.query.sql;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * The connection properties that bound what a database sends ahead of its reader. Left alone, an operating system lets
 * a socket's receive buffer grow (on Linux by default to 6 MB, often to 32 MB), and a database fills it however slowly
 * the rows are wanted: a hundred slow clients then cost gigabytes of the kernel's memory, and the time to fill them.
 */
public final class DriverSettings {
    /** The most that a connection's socket holds, in bytes; the kernel may double it. */
    static final int RECEIVE_BUFFER_BYTES = 64 * 1024;

    private static final String BYTES = Integer.toString(RECEIVE_BUFFER_BYTES);

    /** By the word after {@code jdbc:}, what the driver is told. */
    private static final Map<String, Map.Entry<String, String>> SETTINGS =
            Map.of(
                    "postgresql", Map.entry("receiveBufferSize", BYTES),
                    "mariadb", Map.entry("socketFactory", BoundedSocketFactory.class.getName()),
                    "mysql", Map.entry("tcpRcvBuf", BYTES));

    private DriverSettings() {}

    /**
     * Properties to connect with, for the driver of a URL; none where nothing needs to be set, the driver is not known,
     * or the URL sets it already.
     *
     * @param url a JDBC URL
     * @return new properties, the caller's own
     */
    public static Properties of(String url) {
        Properties properties = new Properties();
        String[] parts = url.split(":", 3);
        String scheme = parts.length == 3 ? parts[1].toLowerCase(Locale.ROOT) : "";
        Map.Entry<String, String> setting = SETTINGS.get(scheme);
        if (setting != null
                && !url.toLowerCase(Locale.ROOT)
                        .contains(setting.getKey().toLowerCase(Locale.ROOT) + "=")) {
            properties.setProperty(setting.getKey(), setting.getValue());
        }
        return properties;
    }
}
