package dev.penstock.transfer.store;

import static dev.penstock.transfer.store.Bodies.append;
import static dev.penstock.transfer.store.Bodies.body;
import static dev.penstock.transfer.store.Bodies.broken;
import static dev.penstock.transfer.store.Bodies.bytes;
import static dev.penstock.transfer.store.Bodies.deferred;
import static dev.penstock.transfer.store.Bodies.failure;
import static dev.penstock.transfer.store.Bodies.kindOf;
import static dev.penstock.transfer.store.Bodies.last;
import static dev.penstock.transfer.store.Bodies.partial;
import static dev.penstock.transfer.store.Bodies.upload;
import static dev.penstock.transfer.store.Bodies.verified;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transfer.Durability;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.digest.Digest;
import dev.penstock.transfer.digest.DigestAlgorithm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class UploadStoreTest {
    private static final int PIECE = 16 * 1024;

    @TempDir Path directory;
    private UploadStore store;

    @BeforeEach
    void open() {
        reopen(StoreSettings.defaults());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void reopen(StoreSettings settings) {
        if (store != null) {
            store.close();
        }
        store =
                UploadStore.open(
                        directory, settings.withSweepInterval(Duration.ZERO), UploadHooks.NONE);
    }

    private List<String> visible() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(".uploads"))
                    .sorted()
                    .toList();
        }
    }

    private List<String> kept() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(".uploads"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                1,
                16_383,
                16_384,
                16_385,
                65_535,
                65_536,
                65_537,
                524_288,
                524_289,
                20_000_000
            })
    void append_wholeUpload_isAFileOfItsName(int length) throws IOException {
        String id = store.create(upload(length, "film.mp4")).id();

        UploadState state = store.append(id, "", 0, append(body(0, length, PIECE), length));

        assertThat(state.isComplete()).isTrue();
        assertThat(state.offset()).isEqualTo(length);
        assertThat(directory.resolve("film.mp4")).hasBinaryContent(bytes(0, length));
        assertThat(store.state(id, "")).isEqualTo(state);
        assertThat(store.reservations().bytes()).isZero();
        assertThat(store.reservations().unwrittenBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void append_bodyThatBreaks_keepsWhatCame(Durability durability) throws IOException {
        reopen(StoreSettings.defaults().withDurability(durability));
        String id = store.create(upload(300_000, "a")).id();

        assertThatThrownBy(() -> store.append(id, "", 0, append(broken(0, 123_457, PIECE))))
                .isInstanceOf(IOException.class)
                .hasMessage("The connection was reset");
        assertThat(store.state(id, "").offset()).isEqualTo(123_457);
        reopen(StoreSettings.defaults().withDurability(durability));
        assertThat(store.state(id, "").offset()).isEqualTo(123_457);

        store.append(id, "", 123_457, append(body(123_457, 300_000 - 123_457, 777)));
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, 300_000));
    }

    @Test
    void append_otherOffset_changesNothingAndSaysTheRightOne() throws IOException {
        String id = store.create(upload(100, "a")).id();
        store.append(id, "", 0, append(body(0, 40, PIECE)));

        assertThat(
                        failure(() -> store.append(id, "", 30, append(body(30, 10, PIECE))))
                                .expectedOffset())
                .isEqualTo(OptionalLong.of(40));
        assertThat(store.state(id, "").offset()).isEqualTo(40);
    }

    @Test
    void append_isLastOfUnknownLength_completes() throws IOException {
        String id = store.create(deferred("a")).id();
        store.append(id, "", 0, append(body(0, 70_000, PIECE)));

        assertThat(store.append(id, "", 70_000, last(body(70_000, 5, PIECE))).isComplete())
                .isTrue();
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, 70_005));
        assertThat(store.state(id, "").length()).isEqualTo(OptionalLong.of(70_005));
    }

    @Test
    void append_moreThanTheLength_isTooLargeAndNotComplete() throws IOException {
        String id = store.create(upload(100, "a")).id();

        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, 101, PIECE)))))
                .isEqualTo(Kind.TOO_LARGE);
        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, 101, PIECE), 101))))
                .isEqualTo(Kind.TOO_LARGE);
        assertThat(
                        kindOf(() ->
                                store.append(
                                        id, "", 0, append(body(0, 101, PIECE), Long.MAX_VALUE))))
                .isEqualTo(Kind.TOO_LARGE);
        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, 101, 100)))))
                .isEqualTo(Kind.TOO_LARGE);
        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, 1, 1), -1))))
                .isEqualTo(Kind.INVALID);
        assertThat(store.state(id, "").offset()).isZero();
        assertThat(visible()).isEmpty();
    }

    @Test
    void append_shorterThanAnnounced_keepsItAndSaysSo() throws IOException {
        String id = store.create(upload(100, "a")).id();

        assertThat(failure(() -> store.append(id, "", 0, append(body(0, 60, PIECE), 100))))
                .hasMessage(
                        "The body ended after 60 of 100 bytes; ask for the offset of the upload, and go on there");
        assertThat(store.state(id, "").offset()).isEqualTo(60);
    }

    @Test
    void append_lastBeforeTheLength_isAMismatch() throws IOException {
        String id = store.create(upload(100, "a")).id();

        assertThat(kindOf(() -> store.append(id, "", 0, last(body(0, 60, PIECE)))))
                .isEqualTo(Kind.LENGTH_MISMATCH);
        assertThat(store.state(id, "").isComplete()).isFalse();
    }

    @Test
    void append_toACompleteUpload_isRefusedUnlessEmpty() throws IOException {
        String id = store.create(upload(10, "a")).id();
        store.append(id, "", 0, append(body(0, 10, PIECE)));

        assertThat(store.append(id, "", 10, append(body(10, 0, 1))).isComplete()).isTrue();
        assertThat(kindOf(() -> store.append(id, "", 10, append(body(10, 1, 1)))))
                .isEqualTo(Kind.COMPLETE);
        assertThat(kindOf(() -> store.append(id, "", 9, append(body(10, 0, 1)))))
                .isEqualTo(Kind.WRONG_OFFSET);
    }

    @ParameterizedTest
    @EnumSource(DigestAlgorithm.class)
    void append_withDigest_isAllOrNothing(DigestAlgorithm algorithm) throws IOException {
        String id = store.create(upload(200_000, "a")).id();
        store.append(id, "", 0, append(body(0, 1_000, PIECE)));
        byte[] digest = digest(algorithm, bytes(1_000, 150_000));
        byte[] wrong = digest.clone();
        wrong[0] ^= 1;

        assertThat(
                        kindOf(() ->
                                store.append(
                                        id,
                                        "",
                                        1_000,
                                        verified(body(1_000, 150_000, 999), algorithm, wrong))))
                .isEqualTo(Kind.DIGEST_MISMATCH);
        assertThatThrownBy(() ->
                        store.append(
                                id,
                                "",
                                1_000,
                                verified(broken(1_000, 150_000, 999), algorithm, digest)))
                .isInstanceOf(IOException.class);
        assertThat(store.state(id, "").offset()).isEqualTo(1_000);
        store.append(id, "", 1_000, verified(body(1_000, 150_000, 999), algorithm, digest));
        assertThat(store.state(id, "").offset()).isEqualTo(151_000);
        reopen(StoreSettings.defaults());
        store.append(id, "", 151_000, append(body(151_000, 49_000, PIECE)));
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, 200_000));
    }

    private static byte[] digest(DigestAlgorithm algorithm, byte[] bytes) {
        Digest digest = algorithm.start();
        digest.update(ByteBuffer.wrap(bytes));
        return digest.value();
    }

    @Test
    void append_progress_tellsOffsetsThatStay() throws IOException {
        reopen(StoreSettings.defaults().withDurability(Durability.PROCESS));
        String id = store.create(upload(2_000_000, "a")).id();
        List<Long> told = new ArrayList<>();

        store.append(
                id,
                "",
                0,
                new Append(
                        body(0, 2_000_000, PIECE),
                        OptionalLong.empty(),
                        false,
                        java.util.Optional.empty(),
                        told::add));

        assertThat(told).isSorted().hasSize(7).first().isEqualTo(262_144L);
    }

    @Test
    void create_lengthZero_isCompleteAtOnce() throws IOException {
        UploadState state = store.create(upload(0, "empty"));

        assertThat(state.isComplete()).isTrue();
        assertThat(directory.resolve("empty")).isEmptyFile();
        assertThat(store.append(state.id(), "", 0, append(body(0, 0, 1))).isComplete()).isTrue();
    }

    @Test
    void complete_nameThatIsTaken_hasANumber() throws IOException {
        Files.writeString(directory.resolve("a.tar.gz"), "mine");
        Files.createSymbolicLink(directory.resolve("a.tar (2).gz"), Path.of("/nowhere"));

        for (int i = 0; i < 2; i++) {
            store.append(store.create(upload(1, "a.tar.gz")).id(), "", 0, append(body(0, 1, 1)));
        }

        assertThat(visible())
                .containsExactly("a.tar (2).gz", "a.tar (3).gz", "a.tar (4).gz", "a.tar.gz");
        assertThat(directory.resolve("a.tar.gz")).hasContent("mine");
    }

    @Test
    void setLength_once_reservesAndCompletes() throws IOException {
        String id = store.create(deferred("a")).id();
        store.append(id, "", 0, append(body(0, 10, 10)));

        assertThat(kindOf(() -> store.setLength(id, "", 9))).isEqualTo(Kind.LENGTH_MISMATCH);
        assertThat(store.setLength(id, "", 30).length()).isEqualTo(OptionalLong.of(30));
        assertThat(kindOf(() -> store.setLength(id, "", 31))).isEqualTo(Kind.LENGTH_MISMATCH);
        assertThat(store.reservations().bytes()).isEqualTo(30);
        reopen(StoreSettings.defaults());
        assertThat(store.append(id, "", 10, append(body(10, 20, 7))).isComplete()).isTrue();
    }

    @Test
    void setLength_asManyAsThereAre_completes() throws IOException {
        String id = store.create(deferred("a")).id();
        store.append(id, "", 0, append(body(0, 10, 10)));

        assertThat(store.setLength(id, "", 10).isComplete()).isTrue();
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, 10));
    }

    @Test
    void concatenate_completeParts_isAFileOfThemAll() throws IOException {
        List<String> parts = new ArrayList<>();
        long at = 0;
        for (int length : new int[] {100_000, 0, 1, 70_000}) {
            String id = store.create(partial(length)).id();
            store.append(id, "", 0, append(body(at, length, PIECE)));
            parts.add(id);
            at += length;
        }

        UploadState state = store.concatenate(deferred("whole"), parts);

        assertThat(state.isComplete()).isTrue();
        assertThat(state.offset()).isEqualTo(170_001);
        assertThat(directory.resolve("whole")).hasBinaryContent(bytes(0, 170_001));
        assertThat(visible()).containsExactly("whole");
        assertThat(store.state(parts.getFirst(), "").isComplete()).isTrue();
    }

    @Test
    void concatenate_partsThatAreNotReady_isRefusedAndLeavesNothing() throws IOException {
        String incomplete = store.create(partial(5)).id();
        String whole = store.create(upload(0, "w")).id();
        List<String> before = kept();

        assertThat(failure(() -> store.concatenate(deferred("a"), List.of(incomplete))).kind())
                .isEqualTo(Kind.INVALID);
        assertThat(kindOf(() -> store.concatenate(deferred("a"), List.of(whole))))
                .isEqualTo(Kind.INVALID);
        assertThat(kindOf(() -> store.concatenate(deferred("a"), List.of())))
                .isEqualTo(Kind.INVALID);
        assertThat(kindOf(() -> store.concatenate(deferred("a"), List.of("nothing"))))
                .isEqualTo(Kind.NOT_FOUND);
        assertThat(kept()).isEqualTo(before);
    }

    @Test
    void delete_anyStage_leavesNothing() throws IOException {
        String empty = store.create(upload(10, "a")).id();
        String begun = store.create(upload(10, "b")).id();
        store.append(begun, "", 0, append(body(0, 5, 5)));
        String complete = store.create(upload(10, "c")).id();
        store.append(complete, "", 0, append(body(0, 10, 5)));

        for (String id : List.of(empty, begun, complete)) {
            store.delete(id, "");
            assertThat(kindOf(() -> store.state(id, ""))).isEqualTo(Kind.GONE);
        }

        assertThat(kept()).isEmpty();
        assertThat(visible()).isEmpty();
        assertThat(store.reservations().bytes()).isZero();
        assertThat(store.reservations().uploads()).isZero();
    }

    @Test
    void delete_fileThatSomebodyHasChanged_leavesIt() throws IOException {
        String id = store.create(upload(10, "c")).id();
        store.append(id, "", 0, append(body(0, 10, 5)));
        Files.writeString(directory.resolve("c"), "the owner's");

        store.delete(id, "");

        assertThat(directory.resolve("c")).hasContent("the owner's");
    }

    @Test
    void anything_ofAnotherOwner_isNotFound() {
        String id = store.create(upload(10, "a")).id();

        assertThat(kindOf(() -> store.state(id, "eve"))).isEqualTo(Kind.NOT_FOUND);
        assertThat(kindOf(() -> store.append(id, "eve", 0, append(body(0, 1, 1)))))
                .isEqualTo(Kind.NOT_FOUND);
        assertThat(kindOf(() -> store.delete(id, "eve"))).isEqualTo(Kind.NOT_FOUND);
        assertThat(kindOf(() -> store.endAppend(id, "eve"))).isEqualTo(Kind.NOT_FOUND);
        assertThat(kindOf(() -> store.setLength(id, "eve", 1))).isEqualTo(Kind.NOT_FOUND);
        assertThat(kindOf(() -> store.open(id, "eve"))).isEqualTo(Kind.NOT_FOUND);
        assertThat(store.list("eve")).isEmpty();
        assertThat(store.list("")).hasSize(1);
    }

    @Test
    void open_completeUpload_givesItsBytes() throws IOException {
        String id = store.create(upload(10, "a")).id();
        assertThat(kindOf(() -> store.open(id, ""))).isEqualTo(Kind.INVALID);
        store.append(id, "", 0, append(body(0, 10, 5)));

        try (FileChannel bytes = store.open(id, "")) {
            assertThat(bytes.size()).isEqualTo(10);
        }
        Files.delete(directory.resolve("a"));
        assertThat(kindOf(() -> store.open(id, ""))).isEqualTo(Kind.GONE);
        assertThat(store.state(id, "").isComplete()).isTrue();
    }

    @Test
    void open_nameIsAnothersByNow_isGone() throws IOException {
        String id = store.create(upload(10, "a")).id();
        store.append(id, "", 0, append(body(0, 10, 5)));
        Files.move(directory.resolve("a"), directory.resolve("taken"));
        String other = store.create(upload(20, "a")).id();
        store.append(other, "", 0, append(body(0, 20, 5)));

        assertThat(kindOf(() -> store.open(id, ""))).isEqualTo(Kind.GONE);
        try (FileChannel bytes = store.open(other, "")) {
            assertThat(bytes.size()).isEqualTo(20);
        }
    }

    @Test
    void close_twice_isHarmlessAndRefusesWhatComesAfter() {
        store.close();
        store.close();

        assertThat(kindOf(() -> store.create(upload(1, "a")))).isEqualTo(Kind.FAILED);
    }
}
