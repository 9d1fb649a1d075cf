package dev.penstock.transfer.store;

import static dev.penstock.transfer.store.Bodies.append;
import static dev.penstock.transfer.store.Bodies.body;
import static dev.penstock.transfer.store.Bodies.broken;
import static dev.penstock.transfer.store.Bodies.bytes;
import static dev.penstock.transfer.store.Bodies.kindOf;
import static dev.penstock.transfer.store.Bodies.last;
import static dev.penstock.transfer.store.Bodies.partial;
import static dev.penstock.transfer.store.Bodies.upload;
import static dev.penstock.transfer.store.Bodies.verified;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transfer.Durability;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.Upload;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.digest.Digest;
import dev.penstock.transfer.digest.DigestAlgorithm;
import dev.penstock.transfer.store.journal.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Crashes of the process and of the machine before each operation on a file in the life of an upload. */
class UploadCrashTest {
    private static final int LENGTH = 150_000;
    private static final UUID BOOT = new UUID(1, 1);
    private static final UUID LATER_BOOT = new UUID(2, 2);

    @TempDir Path temporary;

    /** The state that a client was told before a crash. */
    private record Told(String id, long offset, boolean isComplete) {}

    /** A crash: the directory that it has left, and what was told before. */
    private record Crash(Path directory, List<Told> told, boolean isPowerCut) {}

    private final List<Crash> crashes = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();

    private static StoreSettings settings(Durability durability) {
        return StoreSettings.defaults().withSweepInterval(Duration.ZERO).withDurability(durability);
    }

    private void note(UploadState state) {
        told.removeIf(each -> each.id().equals(state.id()));
        told.add(new Told(state.id(), state.offset(), state.isComplete()));
    }

    /** Two uploads through all their stages, one of them by parts, with a body that breaks and a wrong digest. */
    private void live(UploadStore store) throws IOException {
        String first = store.create(upload(LENGTH, "first")).id();
        note(store.state(first, ""));
        assertThatThrownBy(() -> store.append(first, "", 0, append(broken(0, 50_000, 20_000))))
                .isInstanceOf(IOException.class);
        note(store.state(first, ""));
        byte[] digest = digest(50_000, 60_000);
        assertThat(
                        kindOf(() ->
                                store.append(
                                        first,
                                        "",
                                        50_000,
                                        verified(
                                                body(50_000, 59_999, 9_000),
                                                DigestAlgorithm.SHA1,
                                                digest))))
                .isEqualTo(Kind.DIGEST_MISMATCH);
        note(
                store.append(
                        first,
                        "",
                        50_000,
                        verified(body(50_000, 60_000, 9_000), DigestAlgorithm.SHA1, digest)));
        note(store.append(first, "", 110_000, append(body(110_000, 40_000, 9_000))));
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String part = store.create(partial(LENGTH / 2)).id();
            note(
                    store.append(
                            part, "", 0, append(body((long) i * LENGTH / 2, LENGTH / 2, 50_000))));
            parts.add(part);
        }
        note(store.concatenate(Bodies.deferred("second"), parts));
    }

    private static byte[] digest(long from, int length) {
        Digest digest = DigestAlgorithm.SHA1.start();
        digest.update(ByteBuffer.wrap(bytes(from, length)));
        return digest.value();
    }

    private void crashBeforeEachOperation(Durability durability, boolean isPowerCut)
            throws IOException {
        Path directory = temporary.resolve("original");
        Files.createDirectories(directory.resolve(".uploads"));
        Path real = directory.toRealPath();
        CrashDisk disk = new CrashDisk(real, BOOT);
        disk.forceNames(real);
        disk.beforeEach(() -> {
            Path copy = temporary.resolve("crash" + crashes.size());
            if (isPowerCut) {
                disk.cutPower(copy);
            } else {
                CrashDisk.copy(real, copy);
            }
            crashes.add(new Crash(copy, List.copyOf(told), isPowerCut));
        });
        try (UploadStore store =
                UploadStore.open(directory, settings(durability), UploadHooks.NONE, disk)) {
            live(store);
        }
        assertThat(crashes).hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void kill_beforeAnyOperation_losesNothingThatWasTold(Durability durability) throws IOException {
        crashBeforeEachOperation(durability, false);

        for (Crash crash : crashes) {
            CrashDisk disk = new CrashDisk(crash.directory(), BOOT);
            requireTold(crash, settings(durability), disk);
        }
    }

    @Test
    void powerCut_beforeAnyOperation_losesNothingThatWasTold() throws IOException {
        crashBeforeEachOperation(Durability.ACKNOWLEDGED, true);

        for (Crash crash : crashes) {
            requireTold(
                    crash,
                    settings(Durability.ACKNOWLEDGED),
                    new CrashDisk(crash.directory(), LATER_BOOT));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Durability.class,
            names = {"COMPLETE", "PROCESS"})
    void powerCut_policyThatForcesLess_neverStatesWrongBytes(Durability durability)
            throws IOException {
        crashBeforeEachOperation(durability, true);

        for (Crash crash : crashes) {
            List<Told> complete =
                    durability == Durability.PROCESS
                            ? List.of()
                            : crash.told().stream().filter(Told::isComplete).toList();
            requireTold(
                    new Crash(crash.directory(), complete, true),
                    settings(durability),
                    new CrashDisk(crash.directory(), LATER_BOOT));
        }
    }

    /** Opens what a crash has left: all that was told is there, with the right bytes, and nothing is half a file. */
    private void requireTold(Crash crash, StoreSettings settings, Disk disk) throws IOException {
        try (UploadStore store =
                UploadStore.open(crash.directory(), settings, UploadHooks.NONE, disk)) {
            store.sweep();
            for (Told each : crash.told()) {
                UploadState state = store.state(each.id(), "");
                assertThat(state.offset())
                        .as("%s after %s", each, crash.directory().getFileName())
                        .isGreaterThanOrEqualTo(each.offset());
                assertThat(state.isComplete() || !each.isComplete()).isTrue();
            }
            for (UploadState state : store.list("")) {
                complete(store, state);
            }
        }
        try (Stream<Path> files = Files.list(crash.directory())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(file).hasBinaryContent(bytes(0, LENGTH));
            }
        }
        try (UploadStore store =
                UploadStore.open(crash.directory(), settings, UploadHooks.NONE, disk)) {
            assertThat(store.list("")).allMatch(UploadState::isComplete);
        }
    }

    private static void complete(UploadStore store, UploadState state) throws IOException {
        if (!state.isComplete() && !state.created().isPartial()) {
            long at = state.offset();
            store.append(state.id(), "", at, last(body(at, LENGTH - at, 50_000)));
        } else if (!state.isComplete()) {
            // Which half of the bytes it is nobody has written down.
            store.delete(state.id(), "");
        }
    }

    /** Hooks before each of which, and behind each of which, there is a crash. */
    private final class CrashingHooks implements UploadHooks {
        private final List<String> calls = new ArrayList<>();
        private final Path directory;

        CrashingHooks(Path directory) {
            this.directory = directory;
        }

        private void crash(String when) throws IOException {
            Path copy = temporary.resolve(when);
            CrashDisk.copy(directory, copy);
            crashes.add(new Crash(copy, List.copyOf(told), false));
        }

        @Override
        public void accept(Upload upload) throws IOException {
            calls.add("accept " + upload.offset());
            crash("accepting");
        }

        @Override
        public void scan(Upload upload, Path file) throws IOException {
            calls.add("scan " + Files.size(file));
            crash("scanning");
        }

        @Override
        public void finished(Upload upload, Path file) throws IOException {
            calls.add("finished " + file.getFileName() + " " + upload.isComplete());
            crash("finishing");
        }
    }

    @Test
    void kill_inAHook_repeatsItUnlessItIsDone() throws IOException {
        Path directory = temporary.resolve("original");
        CrashingHooks hooks = new CrashingHooks(directory);
        try (UploadStore store =
                UploadStore.open(directory, settings(Durability.ACKNOWLEDGED), hooks)) {
            String id = store.create(upload(10, "a")).id();
            note(store.state(id, ""));
            note(store.append(id, "", 0, append(body(0, 10, 10))));
        }
        hooks.crash("finished");
        assertThat(hooks.calls).containsExactly("accept 0", "scan 10", "finished a true");

        assertThat(callsAfter("accepting")).isEmpty();
        assertThat(callsAfter("scanning")).containsExactly("scan 10", "finished a true");
        assertThat(callsAfter("finishing")).containsExactly("finished a true");
        assertThat(callsAfter("finished")).isEmpty();
    }

    private List<String> callsAfter(String crash) throws IOException {
        Path directory = temporary.resolve(crash);
        CrashingHooks hooks = new CrashingHooks(temporary.resolve("original"));
        Path again = temporary.resolve("after-" + crash);
        CrashDisk.copy(directory, again);
        List<String> calls = new ArrayList<>();
        UploadHooks noting =
                new UploadHooks() {
                    @Override
                    public void scan(Upload upload, Path file) throws IOException {
                        calls.add("scan " + Files.size(file));
                    }

                    @Override
                    public void finished(Upload upload, Path file) {
                        calls.add("finished " + file.getFileName() + " " + upload.isComplete());
                    }
                };
        try (UploadStore store =
                UploadStore.open(again, settings(Durability.ACKNOWLEDGED), noting)) {
            store.sweep();
            store.sweep();
            assertThat(hooks.calls).isEmpty();
            assertThat(again.resolve("a").toFile().exists()).isEqualTo(!crash.equals("accepting"));
        }
        return calls;
    }

    @Test
    void kill_betweenTheTwoNamesOfAFile_leavesOne() throws IOException {
        Path directory = temporary.resolve("original");
        Path crashed = temporary.resolve("crashed");
        UploadHooks hooks =
                new UploadHooks() {
                    @Override
                    public void finished(Upload upload, Path file) throws IOException {
                        CrashDisk.copy(directory, crashed);
                        Files.createLink(
                                crashed.resolve(".uploads/" + upload.id() + "/data"),
                                crashed.resolve("a"));
                    }
                };
        String id;
        try (UploadStore store = UploadStore.open(directory, settings(Durability.PROCESS), hooks)) {
            id = store.create(upload(10, "a")).id();
            store.append(id, "", 0, append(body(0, 10, 10)));
        }
        JournalEdits.stage(crashed.resolve(".uploads/" + id + "/journal"), "ACCEPTED");

        try (UploadStore store =
                UploadStore.open(crashed, settings(Durability.PROCESS), UploadHooks.NONE)) {
            store.sweep();
            assertThat(store.state(id, "").isComplete()).isTrue();
            assertThat(crashed.resolve(".uploads/" + id + "/data")).doesNotExist();
            assertThat(crashed.resolve("a (2)")).doesNotExist();
            assertThat(crashed.resolve("a")).hasBinaryContent(bytes(0, 10));
        }
    }

    @Test
    void powerCut_dataBeyondTheForcedIsZeroed_goesBackToWhatWasForced() throws IOException {
        Path directory = temporary.resolve("original");
        String id;
        try (UploadStore store =
                UploadStore.open(directory, settings(Durability.ACKNOWLEDGED), UploadHooks.NONE)) {
            id = store.create(upload(LENGTH, "a")).id();
            store.append(id, "", 0, append(body(0, 70_000, 9_000)));
        }
        Path data = directory.resolve(".uploads/" + id + "/data");
        byte[] torn = java.util.Arrays.copyOf(Files.readAllBytes(data), 120_000);
        Files.write(data, torn);

        CrashDisk later = new CrashDisk(directory, LATER_BOOT);
        try (UploadStore store =
                UploadStore.open(
                        directory, settings(Durability.ACKNOWLEDGED), UploadHooks.NONE, later)) {
            assertThat(store.state(id, "").offset()).isEqualTo(70_000);
            store.append(id, "", 70_000, append(body(70_000, LENGTH - 70_000, 9_000)));
            assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, LENGTH));
        }
    }

    @Test
    void open_tornJournal_usesTheRecordBefore() throws IOException {
        Path directory = temporary.resolve("original");
        String id;
        try (UploadStore store =
                UploadStore.open(directory, settings(Durability.ACKNOWLEDGED), UploadHooks.NONE)) {
            id = store.create(upload(LENGTH, "a")).id();
            store.append(id, "", 0, append(body(0, 70_000, 9_000)));
        }
        Path journal = directory.resolve(".uploads/" + id + "/journal");
        JournalEdits.tearNewest(journal);

        try (UploadStore store =
                UploadStore.open(directory, settings(Durability.ACKNOWLEDGED), UploadHooks.NONE)) {
            assertThat(store.state(id, "").offset()).isEqualTo(70_000);
        }
        Files.write(journal, new byte[JournalEdits.BYTES]);
        try (UploadStore store =
                UploadStore.open(directory, settings(Durability.ACKNOWLEDGED), UploadHooks.NONE)) {
            assertThat(store.state(id, "").offset()).isZero();
        }
    }

    @Test
    void open_rubbishInTheDirectory_removesWhatIsNoUploadAndFollowsNoLink() throws IOException {
        Path directory = temporary.resolve("original");
        Path elsewhere = Files.createDirectories(temporary.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("data"), "mine");
        Path uploads = Files.createDirectories(directory.resolve(".uploads"));
        Files.createSymbolicLink(uploads.resolve("link"), elsewhere);
        Files.createDirectories(uploads.resolve("half"));
        Files.writeString(uploads.resolve("half/data"), "x");
        Files.writeString(uploads.resolve("half/description.new"), "x");

        try (UploadStore store =
                UploadStore.open(directory, settings(Durability.ACKNOWLEDGED), UploadHooks.NONE)) {
            assertThat(store.list("")).isEmpty();
        }
        assertThat(uploads.resolve("half")).doesNotExist();
        assertThat(elsewhere.resolve("data")).hasContent("mine");
        Path linked = temporary.resolve("linked");
        Files.createDirectories(linked);
        Files.createSymbolicLink(linked.resolve(".uploads"), elsewhere);
        assertThatThrownBy(() ->
                        UploadStore.open(linked, settings(Durability.PROCESS), UploadHooks.NONE))
                .isInstanceOf(TransferException.class)
                .hasMessageContaining(".uploads");
    }
}
