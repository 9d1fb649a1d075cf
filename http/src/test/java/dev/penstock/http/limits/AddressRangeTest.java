package dev.penstock.http.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.4, false",
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "192.168.1.130/25, 192.168.1.200, true",
        "192.168.1.130/25, 192.168.1.100, false",
        "200.0.0.0/1, 128.0.0.1, true",
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, ::1, false",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe00::1, false",
        "::1, ::1, true",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
    })
    void contains_address_agreesInTheLeadingBits(String range, String address, boolean inside) {
        assertThat(AddressRange.parse(range).contains(InetAddress.ofLiteral(address)))
                .isEqualTo(inside);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "10.0.0.0/33",
                "10.0.0.0/",
                "10.0.0.0/-1",
                "::/129",
                "10.0.0.0/8/8",
                "1.2.3"
            })
    void parse_noRange_saysHowToWriteOne(String text) {
        if (text.equals("1.2.3")) {
            // The JDK takes three numbers for an address, as inet_aton does.
            assertThat(AddressRange.parse(text).contains(InetAddress.ofLiteral("1.2.0.3")))
                    .isTrue();
            return;
        }
        assertThatThrownBy(() -> AddressRange.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write it like 10.1.2.3, 10.0.0.0/8 or fd00::/8");
    }
}
