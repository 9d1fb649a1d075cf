package dev.penstock.follow.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.shyiko.mysql.binlog.network.SSLMode;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {
    private static ServerAddress of(String url) {
        return ServerAddress.of(url, new Properties());
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:mariadb://db.example:3307/shop?user=u, db.example, 3307, DISABLED",
        "jdbc:mariadb://[::1]/shop?user=u, ::1, 3306, DISABLED",
        "jdbc:mariadb:///shop?user=u, localhost, 3306, DISABLED",
        "jdbc:mariadb://h?user=u, h, 3306, DISABLED",
        "jdbc:mariadb://h/d?user=u&sslMode=trust, h, 3306, REQUIRED",
        "jdbc:mariadb://h/d?user=u&sslMode=verify-ca, h, 3306, VERIFY_CA",
        "jdbc:mariadb://h/d?user=u&sslMode=VERIFY_FULL, h, 3306, VERIFY_IDENTITY",
        "jdbc:mariadb://h/d?user=u&useSsl=true, h, 3306, VERIFY_IDENTITY",
        "jdbc:mariadb://h/d?user=u&useSsl=true&trustServerCertificate=true, h, 3306, REQUIRED",
        "jdbc:mysql://h/d?user=u, h, 3306, PREFERRED",
        "jdbc:mysql://h/d?user=u&sslMode=DISABLED, h, 3306, DISABLED",
        "jdbc:mysql://h/d?user=u&sslMode=VERIFY_IDENTITY, h, 3306, VERIFY_IDENTITY",
        "jdbc:mysql://h/d?user=u&useSSL=true&verifyServerCertificate=true, h, 3306, VERIFY_CA",
    })
    void of_url_hostPortAndEncryption(String url, String host, int port, SSLMode tls) {
        ServerAddress address = of(url);
        assertThat(address.host()).isEqualTo(host);
        assertThat(address.port()).isEqualTo(port);
        assertThat(address.tls()).isEqualTo(tls);
    }

    @Test
    void of_userAndPassword_fromTheUrlOrTheProperties() {
        ServerAddress inUrl = of("jdbc:mariadb://h/d?user=a&password=b%26+c");
        assertThat(inUrl.user()).isEqualTo("a");
        assertThat(inUrl.password()).isEqualTo("b%26+c");
        assertThat(of("jdbc:mysql://h/d?user=a&password=b%26+c").password()).isEqualTo("b&+c");
        assertThat(inUrl).hasToString("h:3306");
        Properties properties = new Properties();
        properties.setProperty("user", "x");
        properties.setProperty("sslMode", "trust");
        ServerAddress address = ServerAddress.of("jdbc:mariadb://h/d", properties);
        assertThat(address.user()).isEqualTo("x");
        assertThat(address.password()).isEmpty();
        assertThat(address.tls()).isEqualTo(SSLMode.REQUIRED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mariadb:sequential://a,b/d",
                "jdbc:mariadb://a,b/d",
                "jdbc:mariadb://address=(host=a)/d",
                "jdbc:mysql://u:p@h/d",
                "jdbc:postgresql://h/d"
            })
    void of_otherUrl_refusedWithoutThePassword(String url) {
        assertThatThrownBy(() -> of(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "MariaDB's changes can't be followed: its address is not of the form"
                                + " jdbc:mariadb://host:port/database with one host, whose log it is");
    }

    @Test
    void of_settingsThatCantBeKeptTo_refused() {
        assertThatThrownBy(() -> of("jdbc:mariadb://h/d?user=u&trustStore=x&serverSslCert=y"))
                .hasMessage(
                        "MariaDB's changes can't be followed: the connection that reads the log can't do what"
                                + " serversslcert, truststore says. Certificates can be given to the JVM:"
                                + " -Djavax.net.ssl.trustStore=FILE");
        assertThatThrownBy(() -> of("jdbc:mariadb://h/d?user=u&sslMode=perhaps"))
                .hasMessage("MariaDB's changes can't be followed: sslMode=perhaps is not known");
        assertThatThrownBy(() -> of("jdbc:mariadb://h/d"))
                .hasMessage("MariaDB's changes can't be followed: no user is named");
    }
}
