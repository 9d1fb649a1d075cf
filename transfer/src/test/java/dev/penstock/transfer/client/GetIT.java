package dev.penstock.transfer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.ResponseBody;
import dev.penstock.transfer.CuttingProxy;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GetIT extends TransferClientFixture {
    private static final int MIB = 1 << 20;

    private Path target() {
        return directory.resolve("target.bin");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                16383,
                16384,
                16385,
                32768,
                65535,
                65536,
                65537,
                524287,
                524288,
                524289,
                3 * MIB + 1
            })
    void get_fileOfAnyLength_isWhole(int length) throws IOException {
        byte[] content = RangeServer.bytes(length, length);
        try (RangeServer server = new RangeServer(content)) {
            Receipt receipt = client.get(server.uri(), target(), options());
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
            assertThat(receipt.bytes()).isEqualTo(length);
            assertThat(receipt.sha256()).contains(RangeServer.sha256(content));
            assertThat(directory).isDirectoryNotContaining("glob:**.part*");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16384, 65536, 100_000, 524288, 3 * MIB})
    void get_responseBreaksOff_goesOnThere(int at) throws IOException {
        byte[] content = RangeServer.bytes(3 * MIB + 7, at);
        try (RangeServer server = new RangeServer(content)) {
            server.breakAfter(at);
            server.breakAfter(1);
            Receipt receipt = client.get(server.uri(), target(), options());
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
            assertThat(receipt.sha256()).contains(RangeServer.sha256(content));
            assertThat(receipt.interruptions()).isBetween(1, 3);
            assertThat(server.ranges).hasSizeGreaterThan(1).startsWith("all");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 16})
    void get_connectionsAreCutAgainAndAgain_isWhole(int connections) throws IOException {
        byte[] content = RangeServer.bytes(12 * MIB + 3, connections);
        CuttingProxy.Settings trouble =
                CuttingProxy.Settings.none(connections)
                        .cutting(1000, 2 * MIB)
                        .delaying(Duration.ofMillis(5));
        try (RangeServer server = new RangeServer(content);
                CuttingProxy proxy = CuttingProxy.start(server.port(), trouble)) {
            Receipt receipt =
                    client.get(
                            RangeServer.uri(proxy.port()),
                            target(),
                            options().connections(connections).retries(100));
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
            assertThat(receipt.sha256()).contains(RangeServer.sha256(content));
            assertThat(proxy.cuts()).isPositive();
            assertThat(receipt.repeatedBytes()).isZero();
        }
    }

    @Test
    void get_severalConnections_useRanges() throws IOException {
        byte[] content = RangeServer.bytes(9 * MIB, 1);
        try (RangeServer server = new RangeServer(content)) {
            client.get(server.uri(), target(), options().connections(4));
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
            assertThat(server.ranges).hasSize(9).contains("bytes=0-1048575").doesNotContain("all");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, MIB - 1, MIB, MIB + 1})
    void get_severalConnectionsForSmallFile_isWhole(int length) throws IOException {
        byte[] content = RangeServer.bytes(length, 1);
        try (RangeServer server = new RangeServer(content)) {
            client.get(server.uri(), target(), options().connections(4));
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
        }
    }

    @Test
    void get_severalConnectionsWithoutRanges_isOneResponse() throws IOException {
        byte[] content = RangeServer.bytes(5 * MIB, 1);
        try (RangeServer server = new RangeServer(content)) {
            server.answers.add(
                    (s, exchange) -> exchange.respond(200, "application/octet-stream", content));
            client.get(server.uri(), target(), options().connections(4));
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
            assertThat(server.ranges).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void get_fileChangesInTheMiddle_isTheNewOneWhole(int connections) throws IOException {
        byte[] old = RangeServer.bytes(4 * MIB, 1);
        byte[] fresh = RangeServer.bytes(4 * MIB - 100, 2);
        try (RangeServer server = new RangeServer(old)) {
            server.breakAfter(MIB / 2);
            server.answers.add((s, exchange) -> {
                s.content = fresh;
                s.tag = Optional.of("\"two\"");
                s.send(exchange, Long.MAX_VALUE);
            });
            client.get(server.uri(), target(), options().connections(connections));
            assertThat(Files.readAllBytes(target())).isEqualTo(fresh);
            assertThat(events(TransferEvent.Restarted.class)).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"W/\"weak\"", ""})
    void get_noStrongTag_beginsAnew(String tag) throws IOException {
        byte[] content = RangeServer.bytes(2 * MIB, 1);
        try (RangeServer server = new RangeServer(content)) {
            server.tag = Optional.of(tag).filter(t -> !t.isEmpty());
            server.breakAfter(MIB);
            Receipt receipt = client.get(server.uri(), target(), options());
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
            assertThat(server.ranges).containsOnly("all");
            assertThat(receipt.repeatedBytes()).isPositive();
        }
    }

    @Test
    void get_callFails_nextCallGoesOn() throws IOException {
        byte[] content = RangeServer.bytes(3 * MIB, 1);
        try (RangeServer server = new RangeServer(content)) {
            server.breakAfter(2 * MIB);
            TransferOptions once = options().retries(0);
            assertThatThrownBy(() -> client.get(server.uri(), target(), once))
                    .isInstanceOf(TransferException.class)
                    .hasMessageContaining("call it again to go on");
            assertThat(target()).doesNotExist();
            Receipt receipt = client.get(server.uri(), target(), options());
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
            assertThat(receipt.resumedAt()).isPositive();
            assertThat(server.ranges.getLast()).startsWith("bytes=" + receipt.resumedAt() + "-");
        }
    }

    @Test
    void get_rangeIsPastTheEnd_beginsAnew() throws IOException {
        byte[] content = RangeServer.bytes(3 * MIB, 1);
        byte[] shorter = RangeServer.bytes(1000, 2);
        try (RangeServer server = new RangeServer(content)) {
            server.breakAfter(2 * MIB);
            server.answers.add((s, exchange) -> {
                s.content = shorter;
                exchange.respond(416, "text/plain", "");
            });
            client.get(server.uri(), target(), options());
            assertThat(Files.readAllBytes(target())).isEqualTo(shorter);
        }
    }

    @Test
    void get_serverIsBusy_waitsAsLongAsItAsks() throws IOException {
        byte[] content = RangeServer.bytes(1000, 1);
        try (RangeServer server = new RangeServer(content)) {
            server.answers.add((s, exchange) ->
                    exchange.header("Retry-After", "1").respond(503, "text/plain", "busy"));
            client.get(server.uri(), target(), options());
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
            assertThat(events(TransferEvent.Retrying.class))
                    .first(InstanceOfAssertFactories.type(TransferEvent.Retrying.class))
                    .satisfies(retrying ->
                            assertThat(retrying.in())
                                    .isGreaterThanOrEqualTo(Duration.ofSeconds(1)));
        }
    }

    @Test
    void get_serverAsksForTooLongAWait_fails() {
        try (RangeServer server = new RangeServer(new byte[10])) {
            server.answers.add((s, exchange) ->
                    exchange.header("Retry-After", "86400").respond(503, "text/plain", "busy"));
            assertThatThrownBy(() -> client.get(server.uri(), target(), options()))
                    .isInstanceOf(TransferException.class)
                    .hasMessageContaining("asks to wait 86400 s");
        }
    }

    @Test
    void get_serverSendsAnotherRange_fails() {
        byte[] content = RangeServer.bytes(MIB, 1);
        try (RangeServer server = new RangeServer(content)) {
            server.breakAfter(MIB / 2);
            server.answers.add((s, exchange) ->
                    exchange.status(206)
                            .header("ETag", "\"one\"")
                            .header("Content-Range", "bytes 0-1048575/1048576")
                            .respond(206, "application/octet-stream", content));
            assertThatThrownBy(() -> client.get(server.uri(), target(), options()))
                    .isInstanceOf(TransferException.class)
                    .hasMessageContaining("sent Content-Range bytes 0-1048575/1048576");
            assertThat(target()).doesNotExist();
        }
    }

    @Test
    void get_encodedResponse_isRefused() {
        try (RangeServer server = new RangeServer(new byte[10])) {
            server.answers.add((s, exchange) ->
                    exchange.header("Content-Encoding", "br")
                            .respond(200, "text/plain", "encoded"));
            assertThatThrownBy(() -> client.get(server.uri(), target(), options()))
                    .isInstanceOf(TransferException.class)
                    .hasMessageContaining("Content-Encoding br");
        }
    }

    @Test
    void get_digestIsRight_isVerified() throws IOException {
        byte[] content = RangeServer.bytes(MIB, 1);
        try (RangeServer server = new RangeServer(content)) {
            byte[] digest = HexFormat.of().parseHex(RangeServer.sha256(content));
            server.digest =
                    Optional.of("sha-256=:" + Base64.getEncoder().encodeToString(digest) + ":");
            server.breakAfter(MIB / 2);
            Receipt receipt = client.get(server.uri(), target(), options());
            assertThat(receipt.isVerified()).isTrue();
            assertThat(events(TransferEvent.Verified.class)).hasSize(1);
        }
    }

    @Test
    void get_digestIsWrong_leavesNothing() {
        try (RangeServer server = new RangeServer(RangeServer.bytes(MIB, 1))) {
            server.digest =
                    Optional.of(
                            "sha-256=:" + Base64.getEncoder().encodeToString(new byte[32]) + ":");
            assertThatThrownBy(() -> client.get(server.uri(), target(), options()))
                    .asInstanceOf(InstanceOfAssertFactories.type(TransferException.class))
                    .extracting(TransferException::kind)
                    .isEqualTo(Kind.DIGEST_MISMATCH);
            assertThat(directory).isDirectoryNotContaining("glob:**target*");
        }
    }

    @Test
    void get_noSuchResource_namesStatus() {
        try (RangeServer server = new RangeServer(new byte[10])) {
            assertThatThrownBy(
                            () -> client.get(server.uri().resolve("/other"), target(), options()))
                    .isInstanceOf(TransferException.class)
                    .hasMessageContaining("status 404")
                    .hasMessageContaining("check the URI");
        }
    }

    @Test
    void get_toChannel_goesOnAtItsByte() throws IOException {
        byte[] content = RangeServer.bytes(3 * MIB, 1);
        try (RangeServer server = new RangeServer(content)) {
            server.breakAfter(MIB);
            server.breakAfter(17);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Receipt receipt = client.get(server.uri(), Channels.newChannel(out), options());
            assertThat(out.toByteArray()).isEqualTo(content);
            assertThat(receipt.sha256()).contains(RangeServer.sha256(content));
        }
    }

    @Test
    void get_toChannelOfFileThatChanges_fails() {
        try (RangeServer server = new RangeServer(RangeServer.bytes(3 * MIB, 1))) {
            server.breakAfter(MIB);
            server.answers.add((s, exchange) -> {
                s.tag = Optional.of("\"two\"");
                s.send(exchange, Long.MAX_VALUE);
            });
            assertThatThrownBy(() -> client.get(server.uri(), chunk -> {}, options()))
                    .asInstanceOf(InstanceOfAssertFactories.type(TransferException.class))
                    .extracting(TransferException::kind)
                    .isEqualTo(Kind.CHANGED);
        }
    }

    @Test
    void get_serverStopsSending_goesOnOverAnotherConnection() throws Exception {
        byte[] content = RangeServer.bytes(3 * MIB, 1);
        CountDownLatch isOver = new CountDownLatch(1);
        try (RangeServer server = new RangeServer(content);
                TransferClient impatient = builder().stallTimeout(Duration.ofMillis(500)).build()) {
            server.answers.add((s, exchange) -> {
                exchange.header("ETag", "\"one\"")
                        .header("Content-Length", Integer.toString(content.length));
                ResponseBody body = exchange.body("application/octet-stream");
                body.write(ByteBuffer.wrap(content, 0, MIB));
                body.flush();
                awaitQuietly(isOver);
                throw new IOException("The test breaks off here");
            });
            impatient.get(server.uri(), target(), options().retries(100));
            isOver.countDown();
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
            assertThat(events(TransferEvent.Retrying.class).getFirst().why())
                    .contains("has sent nothing for");
        } finally {
            isOver.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void get_cancelled_keepsWhatIsThere() throws IOException {
        byte[] content = RangeServer.bytes(8 * MIB, 1);
        try (RangeServer server = new RangeServer(content)) {
            Cancellation cancellation = new Cancellation();
            TransferOptions cancelling =
                    TransferOptions.DEFAULT
                            .cancellation(cancellation)
                            .progress(event -> {
                                if (event instanceof TransferEvent.Moved moved
                                        && moved.bytes() > 3 * MIB) {
                                    cancellation.cancel();
                                }
                            });
            assertThatThrownBy(() -> client.get(server.uri(), target(), cancelling))
                    .asInstanceOf(InstanceOfAssertFactories.type(TransferException.class))
                    .extracting(TransferException::kind)
                    .isEqualTo(Kind.CANCELLED);
            assertThat(Thread.interrupted()).isFalse();
            Receipt receipt = client.get(server.uri(), target(), options());
            assertThat(receipt.resumedAt()).isGreaterThanOrEqualTo(2L * MIB);
            assertThat(Files.readAllBytes(target())).isEqualTo(content);
        }
    }
}
