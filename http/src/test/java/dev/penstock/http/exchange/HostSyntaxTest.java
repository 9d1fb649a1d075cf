package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.HttpException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class HostSyntaxTest {
    /** The grammar of RFC 3986, section 3.2.2, without names that are empty or have a comma. */
    private static Pattern host() {
        String group = "[0-9A-Fa-f]{1,4}";
        String octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
        String last = "(?:%1$s:%1$s|%2$s(?:\\.%2$s){3})".formatted(group, octet);
        List<String> forms = new ArrayList<>();
        forms.add("(?:%s:){6}%s".formatted(group, last));
        for (int after = 5; after >= 0; after--) {
            forms.add(before(group, 5 - after) + "::(?:%s:){%d}%s".formatted(group, after, last));
        }
        forms.add(before(group, 6) + "::" + group);
        forms.add(before(group, 7) + "::");
        String name = "(?:[-A-Za-z0-9._~!$&'()*+;=]|%[0-9A-Fa-f]{2})+";
        return Pattern.compile(
                "(?:\\[(?:"
                        + String.join("|", forms)
                        + ")]|"
                        + name
                        + ")(?::(?<port>[0-9]{0,5}))?");
    }

    private static String before(String group, int most) {
        return most == 0 ? "" : "(?:(?:%1$s:){0,%2$d}%1$s)?".formatted(group, most - 1);
    }

    private static String anyHost(Random random) {
        StringBuilder host = new StringBuilder();
        String of = random.nextBoolean() ? "[]:129aG.-%," : ":1290";
        boolean address = random.nextInt(3) == 0;
        host.append(address || random.nextInt(3) == 0 ? "[" : "");
        for (int j = random.nextInt(random.nextInt(20) == 0 ? 60 : 11); j > 0; j--) {
            String[] parts = {
                "1", "ab", "::", ":", "1.2.3.4", "ffff", "01.2.3.255", ":0:", "256.1.1.1"
            };
            host.append(
                    address
                            ? parts[random.nextInt(parts.length)]
                            : of.charAt(random.nextInt(of.length())));
        }
        String[] ends = {"", "]", "]:80", ":65535", "]:65536", ":"};
        return host.append(ends[random.nextInt(address ? 3 : ends.length)]).toString();
    }

    @Test
    void host_ofAnyShape_isTakenIfItIsANameOrAddressWithOrWithoutAPort() {
        Pattern shape = host();
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        Random random = new Random(seed);
        int taken = 0;
        for (int i = 0; i < 100_000; i++) {
            String host = anyHost(random);
            Matcher matcher = shape.matcher(host);
            boolean expected = matcher.matches();
            String port = expected ? matcher.group("port") : null;
            expected &= port == null || port.isEmpty() || Integer.parseInt(port) <= 65_535;
            taken += expected ? 1 : 0;
            assertThat(isHost(host)).as("%s -Dpenstock.seed=%d", host, seed).isEqualTo(expected);
        }
        assertThat(taken).as("how many were taken").isGreaterThan(5_000);
    }

    private static boolean isHost(String text) {
        try {
            HostSyntax.check(text);
            return true;
        } catch (HttpException _) {
            return false;
        }
    }

    @Test
    void host_thatThereCanBe_isTaken() {
        for (String host :
                new String[] {
                    "x",
                    "x.example",
                    "x:80",
                    "x:",
                    "x:0",
                    "x:65535",
                    "x:00080",
                    "127.0.0.1:8080",
                    "[::1]",
                    "[::1]:",
                    "[2001:db8::192.0.2.1]:443",
                    "a_b~c!$&'()*+;=d",
                    "%c3%a4.example"
                }) {
            assertThatCode(() -> HostSyntax.check(host)).as(host).doesNotThrowAnyException();
        }
    }

    @Test
    void host_thatThereCantBe_isRefused() {
        for (String host :
                new String[] {
                    "",
                    ":",
                    ":80",
                    "x:65536",
                    "x:99999",
                    "x:000080",
                    "x:a",
                    "x:-1",
                    "x:1:2",
                    "::1",
                    "[",
                    "[]",
                    "[]:80",
                    "[::1",
                    "[::1]x",
                    "[::1]x:80",
                    "[:::]",
                    "[1:2:3]",
                    "[fe80::1%eth0]",
                    "[127.0.0.1]",
                    "x]",
                    "a[b]",
                    "u@x",
                    "x/y",
                    "x?y",
                    "x#y",
                    "x y",
                    "x\ty",
                    "x,y",
                    "x\\y",
                    "x%",
                    "x%4",
                    "x%zz",
                    "x|y",
                    "x\u00e4",
                    "x\u007f"
                }) {
            assertThatThrownBy(() -> HostSyntax.check(host))
                    .as(host)
                    .isInstanceOf(HttpException.class)
                    .hasMessageStartingWith("The host ");
        }
    }
}
