package dev.penstock.follow.binlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.shyiko.mysql.binlog.network.SSLMode;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server that a JDBC URL names, and how to connect to it for its log. Its text has no password.
 *
 * @param host its name or address
 * @param port its port
 * @param tls whether the connection is encrypted, and what is verified
 * @param user whom to connect as
 * @param password the user's; empty for none
 */
public record ServerAddress(String host, int port, SSLMode tls, String user, String password) {
    private static final Pattern URL =
            Pattern.compile("jdbc:(mariadb|mysql)://([^/?@,()]*)(?:/[^?]*)?(?:\\?(.*))?");

    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^:\\[\\]]*)(?::([0-9]{1,5}))?");

    /** Settings of the drivers that this connection can't follow, in small letters. */
    private static final Set<String> OTHER_WAYS =
            Set.of(
                    "serversslcert",
                    "truststore",
                    "truststorepassword",
                    "truststoretype",
                    "keystore",
                    "keystorepassword",
                    "keystoretype",
                    "clientcertificatekeystoreurl",
                    "trustcertificatekeystoreurl",
                    "localsocket",
                    "pipe",
                    "socketfactory",
                    "socksproxyhost",
                    "credentialtype");

    /**
     * Reads a JDBC URL.
     *
     * @param properties settings that count as if the URL had them, such as {@code user} and {@code password}
     * @throws IllegalArgumentException if it is no URL of one MariaDB server, or wants something that is not possible
     *     for the connection that reads the log
     */
    public static ServerAddress of(String url, Properties properties) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw refused(
                    "its address is not of the form jdbc:mariadb://host:port/database with one host, whose log it is");
        }
        Matcher host = HOST.matcher(parts.group(2));
        if (!host.matches()) {
            throw refused("\"" + parts.group(2) + "\" is no host and port");
        }
        boolean isMySqls = parts.group(1).equals("mysql");
        Map<String, String> settings = settings(parts.group(3), isMySqls);
        for (String name : properties.stringPropertyNames()) {
            settings.put(name.toLowerCase(Locale.ROOT), properties.getProperty(name));
        }
        Set<String> others = new TreeSet<>(settings.keySet());
        others.retainAll(OTHER_WAYS);
        if (!others.isEmpty()) {
            throw refused(
                    ("the connection that reads the log can't do what %s says. Certificates can be given to the"
                                    + " JVM: -Djavax.net.ssl.trustStore=FILE")
                            .formatted(String.join(", ", others)));
        }
        String name = settings.get("user");
        if (name == null) {
            throw refused("no user is named");
        }
        String secret = settings.getOrDefault("password", "");
        String address = host.group(1).isEmpty() ? "localhost" : host.group(1);
        int port = host.group(2) == null ? 3306 : Integer.parseInt(host.group(2));
        return new ServerAddress(
                address.startsWith("[") ? address.substring(1, address.length() - 1) : address,
                port,
                isMySqls ? mysqlTls(settings) : mariadbTls(settings),
                name,
                secret);
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("MariaDB's changes can't be followed: " + why);
    }

    /** MariaDB's driver takes values as they are; MySQL's decodes them, but for the plus sign. */
    private static Map<String, String> settings(@Nullable String text, boolean isMySqls) {
        Map<String, String> settings = new HashMap<>();
        for (String each : text == null ? new String[0] : text.split("&")) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                String written = each.substring(equals + 1);
                String value =
                        isMySqls ? URLDecoder.decode(written.replace("+", "%2B"), UTF_8) : written;
                settings.put(each.substring(0, equals).toLowerCase(Locale.ROOT), value);
            }
        }
        return settings;
    }

    private static SSLMode mariadbTls(Map<String, String> settings) {
        String mode = settings.get("sslmode");
        if (mode == null) {
            if (!isTrue(settings.get("usessl"))) {
                return SSLMode.DISABLED;
            }
            if (isTrue(settings.get("trustservercertificate"))) {
                return SSLMode.REQUIRED;
            }
            return isTrue(settings.get("disablesslhostnameverification"))
                    ? SSLMode.VERIFY_CA
                    : SSLMode.VERIFY_IDENTITY;
        }
        return mode(mode);
    }

    private static SSLMode mysqlTls(Map<String, String> settings) {
        String mode = settings.get("sslmode");
        if (mode == null) {
            String old = settings.get("usessl");
            if (old == null) {
                return SSLMode.PREFERRED;
            }
            boolean verified = isTrue(settings.get("verifyservercertificate"));
            return !isTrue(old)
                    ? SSLMode.DISABLED
                    : verified ? SSLMode.VERIFY_CA : SSLMode.REQUIRED;
        }
        return mode(mode);
    }

    private static boolean isTrue(@Nullable String value) {
        return value != null && (value.equalsIgnoreCase("true") || value.equals("1"));
    }

    private static SSLMode mode(String name) {
        return switch (name.toLowerCase(Locale.ROOT).replace('_', '-')) {
            case "disable", "disabled" -> SSLMode.DISABLED;
            case "preferred" -> SSLMode.PREFERRED;
            case "trust", "required" -> SSLMode.REQUIRED;
            case "verify-ca" -> SSLMode.VERIFY_CA;
            case "verify-full", "verify-identity" -> SSLMode.VERIFY_IDENTITY;
            default -> throw refused("sslMode=" + name + " is not known");
        };
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
