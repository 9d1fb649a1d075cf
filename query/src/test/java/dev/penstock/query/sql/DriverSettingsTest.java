package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class DriverSettingsTest {
    @Test
    void of_knownDriver_boundsTheReceiveBuffer() {
        assertThat(DriverSettings.of("jdbc:postgresql://h/d"))
                .isEqualTo(Map.of("receiveBufferSize", "65536"));
        assertThat(DriverSettings.of("jdbc:MariaDB://h/d?a=b"))
                .isEqualTo(Map.of("socketFactory", BoundedSocketFactory.class.getName()));
        assertThat(DriverSettings.of("jdbc:mysql:loadbalance://h/d"))
                .isEqualTo(Map.of("tcpRcvBuf", "65536"));
    }

    @Test
    void of_urlThatSetsIt_isLeftAlone() {
        assertThat(DriverSettings.of("jdbc:mysql://h/d?tcprcvbuf=8192")).isEmpty();
    }

    @Test
    void of_otherDriver_setsNothing() {
        assertThat(DriverSettings.of("jdbc:h2:mem:x")).isEmpty();
        assertThat(DriverSettings.of("nonsense")).isEmpty();
    }
}
