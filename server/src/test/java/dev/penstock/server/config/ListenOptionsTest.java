package dev.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.HttpProtocol;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Places to listen, and what they speak, as options say them. */
final class ListenOptionsTest {
    private static ListenOptions options(String... arguments) {
        return CommandLine.populateCommand(new ListenOptions(), arguments);
    }

    private static ListenOptions begun(String... arguments) {
        ListenOptions options = options(arguments);
        options.begin();
        return options;
    }

    @Test
    void places_unlessGiven_areThePortAlone() {
        assertThat(begun().places()).containsExactly(ListenPlace.tcp("127.0.0.1", 8080, false));
        assertThat(begun("--listen", "unix:/run/x.sock").places())
                .containsExactly(ListenPlace.parse("unix:/run/x.sock"));
        assertThat(begun("--port", "0", "--listen", "9090", "--listen", "unix:x").places())
                .containsExactly(
                        ListenPlace.tcp("127.0.0.1", 0, false),
                        ListenPlace.parse("9090"),
                        ListenPlace.parse("unix:x"));
    }

    @Test
    void port_withACertificate_speaksTlsAndOtherPlacesWhereTheySaySo() {
        ListenOptions options =
                begun(
                        "--port=8443",
                        "--listen=unix:x",
                        "--listen=9090,tls,http2",
                        "--tls-certificate=c.pem",
                        "--tls-key=k.pem");
        assertThat(options.places())
                .extracting(ListenPlace::tls)
                .containsExactly(true, false, true);
        assertThat(options.scheme()).isEqualTo("https");
    }

    @Test
    void place_inEveryForm_isRead() {
        assertThat(ListenPlace.parse("8080"))
                .isEqualTo(
                        new ListenPlace(
                                "--listen 8080", null, "127.0.0.1", 8080, false, null, null));
        assertThat(ListenPlace.parse("[::1]:80,http1").host()).isEqualTo("::1");
        assertThat(ListenPlace.parse("host.example:443,tls,http2"))
                .isEqualTo(
                        new ListenPlace(
                                "--listen host.example:443,tls,http2",
                                null,
                                "host.example",
                                443,
                                true,
                                HttpProtocol.HTTP_2,
                                null));
        ListenPlace socket = ListenPlace.parse("unix:/run/x.sock,mode=660");
        assertThat(socket.socket()).isEqualTo(Path.of("/run/x.sock"));
        assertThat(socket.mode()).isEqualTo("660");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--listen=               | is no place to listen: write PORT, HOST:PORT or unix:PATH",
                "--listen=host:          | is no place to listen",
                "--listen=:80            | is no place to listen",
                "--listen=70000          | with a port from 0 to 65535",
                "--listen=::1:80         | put an IPv6 address into brackets",
                "--listen=unix:          | give a path, such as unix:/run/penstock.sock",
                "--listen=80,mode=660    | mode is for unix:PATH",
                "--listen=unix:x,mode=9  | write rw-rw---- or 660",
                "--listen=80,http3       | 'http3' is none of tls, http1, http2 and mode=660",
                "--listen=80,http1,http2 | or neither to speak both",
                "--listen=80,tls         | tls needs a certificate",
                "--listen=nowhere.invalid:80 | the host is unknown",
                "--tls-key=k.pem         | --tls-certificate and --tls-key belong together",
                "--tls-key-store=x.p12   | --tls-key-store-password-file belong together",
                "--tls-client-ca=ca.pem  | --tls-client-ca needs a certificate of the server",
                "--tls-client-optional   | is about --tls-client-ca",
                "--tls-known-names-only  | --tls-known-names-only needs a certificate",
                "--tls-stapling          | --tls-stapling needs a certificate"
            })
    void option_thatCantBe_isRefused(String option, String says) {
        assertThatThrownBy(() -> begun(option))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining(says);
    }

    @Test
    void certificate_thatNoPlaceUses_isRefused() {
        assertThatThrownBy(() -> begun("--tls-directory=d", "--listen=unix:x"))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("no place speaks TLS");
    }
}
