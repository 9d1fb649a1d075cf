package dev.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcTargetTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://h/d?user=u&password=geheim&ssl=true",
                "jdbc:mariadb://u:geheim@h/d",
                "jdbc:h2:mem:x;USER=u;PASSWORD=geheim",
                "jdbc:mysql://h/d?PWD=geheim&trustCertificateKeyStorePassword=geheim"
            })
    void toString_urlWithPassword_hidesIt(String url) {
        assertThat(target(url).toString()).doesNotContain("geheim").contains("***");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "postgresql://h/d", "jdbc:", "jdbc:h2", "jdbc::x"})
    void target_noJdbcUrl_saysHowOneLooks(String url) {
        assertThatThrownBy(() -> target(url))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith("--jdbc " + url + " is not a JDBC URL: write it like ")
                .hasMessageContaining("jdbc:postgresql://HOST:5432/DATABASE");
    }

    @Test
    void driver_unknownScheme_namesThoseThereAre() {
        assertThatThrownBy(() -> target("jdbc:oracle:thin:@h:1521/x").driver())
                .hasMessage(
                        "no driver is there for jdbc:oracle: URLs (there are those for h2, mariadb, mysql, postgresql):"
                                + " correct the URL, or name the driver's jar with --driver");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:/data/x,true",
        "jdbc:h2:mem:x,false",
        "'jdbc:h2:/data/x;ifexists=false',false"
    })
    void properties_h2_makesNoNewDatabaseByMistake(String url, boolean mustExist) {
        assertThat(target(url).properties().containsKey("IFEXISTS")).isEqualTo(mustExist);
    }

    private static JdbcTarget target(String url) {
        return new JdbcTarget(url, null, null, List.of());
    }
}
