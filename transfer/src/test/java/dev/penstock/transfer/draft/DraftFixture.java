package dev.penstock.transfer.draft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.store.StoreSettings;
import dev.penstock.transfer.store.UploadStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;

/** A server whose uploads speak the draft, and requests to it by version. */
abstract class DraftFixture extends ServerFixture {
    static final long MOST_BYTES = 4L << 20;

    @TempDir Path directory;

    /** Added to the time at each look. */
    final AtomicLong nanosBetweenLooks = new AtomicLong();

    /** Whether the server sends 104; to be set before it starts. */
    boolean interim = true;

    private final AtomicLong nanos = new AtomicLong();
    private final List<UploadStore> stores = new ArrayList<>();

    static Stream<Arguments> versions() {
        return Stream.of(Protocol.values())
                .flatMap(protocol ->
                        Stream.of(DraftVersion.values())
                                .map(version -> Arguments.of(protocol, version)));
    }

    final Server serve() {
        return serve(UploadHooks.NONE);
    }

    final Server serve(UploadHooks hooks) {
        StoreSettings defaults = StoreSettings.defaults();
        UploadStore store =
                UploadStore.open(
                        directory,
                        defaults.withLimits(
                                        defaults.limits()
                                                .withBytes(
                                                        MOST_BYTES, Long.MAX_VALUE, Long.MAX_VALUE))
                                .withDurability(dev.penstock.transfer.Durability.PROCESS),
                        RepresentationDigest.checkedBefore(hooks));
        stores.add(store);
        DraftProtocol draft =
                new DraftProtocol(
                        store,
                        new DraftSettings(
                                OptionalLong.of(MOST_BYTES),
                                (_, id) -> "/uploads/" + id,
                                InstantSource.system(),
                                () -> nanos.addAndGet(nanosBetweenLooks.get()),
                                interim));
        return start(b ->
                b.post("/uploads", exchange -> draft.create(exchange, "", Optional.empty()))
                        .route(
                                "PUT",
                                "/uploads/{name}",
                                exchange ->
                                        draft.create(
                                                exchange,
                                                "",
                                                Optional.of(exchange.pathParameter("name"))))
                        .route(
                                "HEAD",
                                "/uploads/{id}",
                                exchange -> draft.state(exchange, "", exchange.pathParameter("id")))
                        .route(
                                "OPTIONS",
                                "/uploads",
                                exchange -> {
                                    draft.announce(exchange);
                                    exchange.status(204);
                                })
                        .patch(
                                "/uploads/{id}",
                                exchange ->
                                        draft.append(exchange, "", exchange.pathParameter("id")))
                        .delete(
                                "/uploads/{id}",
                                exchange ->
                                        draft.cancel(exchange, "", exchange.pathParameter("id"))));
    }

    @AfterEach
    final void closeStores() {
        stores.forEach(UploadStore::close);
    }

    /** Headers of a request, with its version, and whether the upload is complete behind it. */
    static String[] headers(DraftVersion version, boolean isLast, String... more) {
        return with(
                more,
                "Upload-Draft-Interop-Version",
                Integer.toString(version.number()),
                version.completeHeader(),
                version.complete(isLast));
    }

    /** The same of a request to append. */
    static String[] appending(DraftVersion version, boolean isLast, long offset, String... more) {
        return headers(
                version,
                isLast,
                with(
                        more,
                        "Upload-Offset",
                        Long.toString(offset),
                        "Content-Type",
                        DraftProtocol.PARTIAL_UPLOAD));
    }

    static String[] asking(DraftVersion version) {
        return new String[] {"Upload-Draft-Interop-Version", Integer.toString(version.number())};
    }

    static String[] with(String[] headers, String... more) {
        String[] all = Arrays.copyOf(headers, headers.length + more.length);
        System.arraycopy(more, 0, all, headers.length, more.length);
        return all;
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** The response, without what was told before. */
    static Reply last(TestClient client) throws IOException {
        Reply reply = client.reply();
        while (reply.status() < 200) {
            reply = client.reply();
        }
        return reply;
    }

    static Reply ask(
            Protocol protocol, Server server, String method, String path, String... headers)
            throws IOException {
        try (TestClient client = protocol.connect(server.port())) {
            return last(client.send(method, path, headers));
        }
    }

    static Reply send(
            Protocol protocol,
            Server server,
            String method,
            String path,
            byte[] content,
            String... headers)
            throws IOException {
        try (TestClient client = protocol.connect(server.port())) {
            return last(client.send(method, path, content, headers));
        }
    }

    /** Creates an upload with its first bytes; returns where it is. */
    static String created(
            Protocol protocol, Server server, DraftVersion version, byte[] first, String... more)
            throws IOException {
        Reply reply =
                send(protocol, server, "POST", "/uploads", first, headers(version, false, more));
        assertThat(reply.status()).isEqualTo(201);
        return reply.header("Location").orElseThrow();
    }

    /** The offset that HEAD tells. */
    static long offset(Protocol protocol, Server server, DraftVersion version, String location)
            throws IOException {
        Reply reply = ask(protocol, server, "HEAD", location, asking(version));
        assertThat(reply.status()).isEqualTo(204);
        return Long.parseLong(reply.header("Upload-Offset").orElseThrow());
    }

    /** The one file that there is. */
    final byte[] onlyFile() throws IOException {
        List<Path> files = files();
        assertThat(files).hasSize(1);
        return Files.readAllBytes(files.getFirst());
    }

    final List<Path> files() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(Files::isRegularFile).toList();
        }
    }
}
