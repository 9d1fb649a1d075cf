package dev.penstock.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClientsTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static Clients clients(double rate, int burst) {
        return new Clients(
                new ClientLimits(
                        new ClientLimits.AtOnce(2, 3),
                        ClientLimits.AtOnce.UNLIMITED,
                        rate,
                        burst,
                        List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("fd00::/8"))));
    }

    private static InetSocketAddress at(String address) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), 4711);
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.1, 198.51.100.1, true",
        "198.51.100.1, 198.51.100.2, false",
        "2001:db8:1:2::1, 2001:db8:1:2:ffff::9, true",
        "2001:db8:1:2::1, 2001:db8:1:3::1, false",
        "::ffff:198.51.100.1, 198.51.100.1, true",
    })
    void connected_addresses_areOneClientByAddressOrHalfOfIt(
            String one, String other, boolean same) {
        Clients clients = clients(0, 1);
        Client first = clients.connected(at(one)).client();
        assertThat(clients.connected(at(other)).client() == first).isEqualTo(same);
    }

    @Test
    void client_withNothingLeft_isForgotten() {
        Clients clients = clients(0, 1);
        Clients.Connection connection = clients.connected(at("198.51.100.1"));
        assertThat(connection.client().addRequest()).isTrue();
        clients.disconnected(connection);
        assertThat(clients.known()).isEqualTo(1);
        clients.done(connection.client(), true);
        assertThat(clients.known()).isZero();
    }

    @Test
    void clients_withARate_areRememberedUntilTheyHaveRestedAndNoMoreThanABound() {
        Clients clients = clients(0.001, 1);
        for (int i = 0; i < 100_000; i++) {
            InetAddress address =
                    InetAddress.ofLiteral("198.%d.%d.%d".formatted(i >> 16, i >> 8 & 255, i & 255));
            Clients.Connection connection = clients.connected(new InetSocketAddress(address, 1));
            Client client = connection.client();
            boolean admitted = client.addRequest();
            assertThat(clients.exceeded(client, admitted, System.nanoTime())).isNull();
            clients.done(client, admitted);
            clients.disconnected(connection);
            assertThat(clients.known()).isLessThanOrEqualTo(16 * 1024 + 1);
        }
        assertThat(clients.known()).isPositive();
    }

    @Test
    void rate_burstSpent_saysHowLongToWaitAndRefills() {
        Clients clients = clients(0.5, 3);
        Client client = clients.connected(at("198.51.100.1")).client();
        long now = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            assertThat(clients.exceeded(client, true, now)).isNull();
        }
        assertThat(clients.exceeded(client, true, now))
                .isEqualTo(
                        new LimitExceeded(
                                "This client has sent more requests than the 0.5 a second that it may: wait",
                                2));
        assertThat(clients.exceeded(client, true, now + SECOND)).isNotNull();
        assertThat(clients.exceeded(client, true, now + 2 * SECOND + SECOND / 10)).isNull();
        assertThat(clients.exceeded(client, true, now + 3 * SECOND)).isNotNull();
        assertThat(clients.limited()).isEqualTo(3);
    }

    @Test
    void limits_ofAProxy_areNone() {
        Clients clients = clients(0.001, 1);
        Client proxy = clients.connected(at("10.1.1.1")).client();
        assertThat(proxy.isProxy()).isTrue();
        for (int i = 0; i < 100; i++) {
            assertThat(clients.exceeded(clients.connected(at("10.1.1.1")))).isNull();
            assertThat(clients.exceeded(proxy, proxy.addRequest(), System.nanoTime())).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "null",
            value = {
                "198.51.100.7; 198.51.100.7",
                "1.1.1.1, 198.51.100.7; 198.51.100.7",
                "1.1.1.1, 198.51.100.7, 10.0.0.2; 198.51.100.7",
                "1.1.1.1| 198.51.100.7 |10.0.0.2,10.3.0.1; 198.51.100.7",
                "127.0.0.1, 198.51.100.7:4711; 198.51.100.7",
                "[2001:db8::1]:4711; 2001:db8:0:0:0:0:0:1",
                "2001:db8::1; 2001:db8:0:0:0:0:0:1",
                "10.0.0.3, 10.0.0.2; 10.0.0.3",
                "198.51.100.7, unknown; null",
                "198.51.100.7, nonsense, 10.0.0.2; 10.0.0.2",
                "198.51.100.7,; null",
                "null; null",
                "example.org; null",
            })
    void forwardedFor_header_isTheLastThatIsNoProxy(
            @Nullable String headers, @Nullable String expected) {
        List<String> lines = headers == null ? List.of() : Arrays.asList(headers.split("\\|"));
        InetAddress found = clients(0, 1).forwardedFor(lines);
        assertThat(found == null ? null : found.getHostAddress()).isEqualTo(expected);
    }

    @Test
    void forwardedFor_endlessProxies_isLookedAtInPart() {
        String header = "198.51.100.7" + ", 10.0.0.1".repeat(1000);
        assertThat(clients(0, 1).forwardedFor(List.of(header)))
                .isEqualTo(InetAddress.ofLiteral("10.0.0.1"));
    }
}
