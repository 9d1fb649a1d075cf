package dev.penstock.transfer.store;

import static dev.penstock.transfer.store.Bodies.append;
import static dev.penstock.transfer.store.Bodies.body;
import static dev.penstock.transfer.store.Bodies.broken;
import static dev.penstock.transfer.store.Bodies.bytes;
import static dev.penstock.transfer.store.Bodies.last;
import static dev.penstock.transfer.store.Bodies.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transfer.Durability;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.digest.Digest;
import dev.penstock.transfer.digest.DigestAlgorithm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random sequences of operations on a store, beside a model of it that is a few numbers. A failure names the seed and
 * the shortest beginning of the sequence that fails.
 */
class UploadModelTest {
    private static final int SEQUENCES = Boolean.getBoolean("penstock.soak") ? 300 : 12;
    private static final int OPERATIONS = 80;
    private static final int MOST_BYTES = 200_000;
    private static final Duration AGE = Duration.ofHours(1);

    @TempDir Path temporary;

    /** The model of an upload. All have the same bytes, so that any may be put together with any. */
    private static final class Expected {
        private final String id;
        private final boolean isPartial;
        private long length;
        private long offset;
        private boolean isComplete;
        private boolean isGone;
        private Instant touched;

        Expected(String id, boolean isPartial, long length, Instant touched) {
            this.id = id;
            this.isPartial = isPartial;
            this.length = length;
            this.touched = touched;
            isComplete = length == 0;
        }

        boolean isExpired(Instant now) {
            return !now.isBefore(touched.plus(AGE));
        }

        long reserved() {
            return isGone || (isComplete && !isPartial) ? 0 : Math.max(length, offset);
        }
    }

    /** A store and its model. */
    private static final class Pair implements AutoCloseable {
        private final Path directory;
        private final Random random;
        private final List<Expected> model = new ArrayList<>();
        private Instant now = Instant.EPOCH.plusSeconds(1);
        private UploadStore store;
        private int files;

        Pair(Path directory, long seed) {
            this.directory = directory;
            random = new Random(seed);
            store = open();
        }

        private UploadStore open() {
            StoreSettings settings =
                    StoreSettings.defaults()
                            .withSweepInterval(Duration.ZERO)
                            .withAges(AGE, AGE)
                            .withDurability(Durability.PROCESS)
                            .withClock(() -> now);
            return UploadStore.open(directory, settings, UploadHooks.NONE);
        }

        @Override
        public void close() {
            store.close();
        }

        void step() throws IOException {
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> create();
                case 3, 4, 5, 6, 7, 8 -> append();
                case 9 -> setLength();
                case 10 -> concatenate();
                case 11 -> delete();
                case 12 -> reopen();
                default -> passTime();
            }
            compare();
        }

        private void create() {
            boolean isPartial = random.nextInt(3) == 0;
            boolean isDeferred = random.nextInt(3) == 0;
            long length =
                    isDeferred ? -1 : random.nextInt(20) == 0 ? 0 : random.nextInt(MOST_BYTES);
            NewUpload upload =
                    new NewUpload(
                            "",
                            isDeferred ? OptionalLong.empty() : OptionalLong.of(length),
                            Optional.of("file"),
                            Optional.empty(),
                            Map.of("k", "v"),
                            isPartial);
            add(store.create(upload), isPartial, length);
        }

        private void add(UploadState state, boolean isPartial, long length) {
            Expected expected = new Expected(state.id(), isPartial, length, now);
            model.add(expected);
            if (expected.isComplete && !isPartial) {
                files++;
            }
        }

        private @Nullable Expected any() {
            return model.isEmpty() ? null : model.get(random.nextInt(model.size()));
        }

        private void append() throws IOException {
            Expected expected = any();
            if (expected == null) {
                return;
            }
            int count = random.nextInt(MOST_BYTES);
            if (expected.length >= 0 && random.nextInt(4) != 0) {
                count = (int) Math.min(count, expected.length - expected.offset);
            }
            long at = random.nextInt(10) == 0 ? random.nextInt(MOST_BYTES) : expected.offset;
            boolean breaks = random.nextInt(4) == 0;
            boolean isLast = random.nextInt(5) == 0;
            boolean isShort = random.nextInt(6) == 0 && !isLast;
            boolean isVerified = random.nextInt(4) == 0 && !isLast && !isShort;
            boolean isWrong = isVerified && random.nextInt(3) == 0;
            int piece = 1 + random.nextInt(70_000);
            ReadableByteChannel channel =
                    breaks ? broken(at, count, piece) : body(at, count, piece);
            Append append;
            if (isVerified) {
                append =
                        verified(
                                channel,
                                DigestAlgorithm.CRC32C,
                                digest(at, isWrong ? count + 1 : count));
            } else if (isLast) {
                append = last(channel);
            } else if (isShort) {
                append = Bodies.append(channel, count + 1);
            } else {
                append = Bodies.append(channel);
            }
            Optional<Kind> end = end(() -> store.append(expected.id, "", at, append));
            expect(
                    expected,
                    at,
                    count,
                    new Shape(breaks, isShort, isLast, isVerified, isWrong),
                    end);
        }

        private record Shape(
                boolean breaks,
                boolean isShort,
                boolean isLast,
                boolean isVerified,
                boolean isWrong) {}

        private void expect(
                Expected expected, long at, int count, Shape shape, Optional<Kind> end) {
            if (expected.isGone || expected.isExpired(now)) {
                assertThat(end).contains(Kind.GONE);
                return;
            }
            if (expected.isComplete) {
                // A body that breaks at once has thrown, and is no failure of the store's.
                assertThat(
                                end.isEmpty()
                                        || end.get() == Kind.COMPLETE
                                        || end.get() == Kind.WRONG_OFFSET)
                        .isTrue();
                return;
            }
            if (at != expected.offset) {
                assertThat(end).contains(Kind.WRONG_OFFSET);
                return;
            }
            long most = expected.length < 0 ? Long.MAX_VALUE : expected.length;
            if (shape.isShort() && at + count + 1 > most) {
                assertThat(end).contains(Kind.TOO_LARGE);
                return;
            }
            expected.touched = now;
            if (at + count > most) {
                // As much of it stays as fits and is not the last piece.
                assertThat(end).contains(Kind.TOO_LARGE);
                refresh(expected, at);
            } else if (shape.breaks()) {
                // If the whole length was there, the failure came in place of the end, and the last
                // piece does not stay.
                refresh(expected, at);
            } else if (shape.isWrong()) {
                assertThat(end).contains(Kind.DIGEST_MISMATCH);
            } else {
                expected.offset = at + count;
                finish(expected, shape, end);
            }
        }

        /** Takes over the offset of an append that was broken off: no less than before, no more than was sent. */
        private void refresh(Expected expected, long at) {
            long offset = store.state(expected.id, "").offset();
            assertThat(offset).isBetween(at, at + MOST_BYTES);
            expected.offset = offset;
        }

        private void finish(Expected expected, Shape shape, Optional<Kind> end) {
            if (shape.isShort()) {
                assertThat(end).contains(Kind.LENGTH_MISMATCH);
                return;
            }
            if (shape.isLast() && expected.length >= 0 && expected.length != expected.offset) {
                assertThat(end).contains(Kind.LENGTH_MISMATCH);
                return;
            }
            assertThat(end).isEmpty();
            if (shape.isLast()) {
                expected.length = expected.offset;
            }
            complete(expected);
        }

        private void complete(Expected expected) {
            if (expected.length == expected.offset && !expected.isComplete) {
                expected.isComplete = true;
                files += expected.isPartial ? 0 : 1;
            }
        }

        private static byte[] digest(long at, int count) {
            Digest digest = DigestAlgorithm.CRC32C.start();
            digest.update(ByteBuffer.wrap(bytes(at, count)));
            return digest.value();
        }

        private interface Call {
            Object run() throws IOException;
        }

        private static Optional<Kind> end(Call call) {
            try {
                call.run();
                return Optional.empty();
            } catch (TransferException e) {
                return Optional.of(e.kind());
            } catch (IOException e) {
                assertThat(e).hasMessage("The connection was reset");
                return Optional.empty();
            }
        }

        private void setLength() {
            Expected expected = any();
            if (expected == null) {
                return;
            }
            long length = random.nextInt(3) == 0 ? expected.offset : random.nextInt(MOST_BYTES);
            Optional<Kind> end = end(() -> store.setLength(expected.id, "", length));
            if (expected.isGone || expected.isExpired(now)) {
                assertThat(end).contains(Kind.GONE);
            } else if (expected.length == length) {
                assertThat(end).isEmpty();
            } else if (expected.length >= 0 || length < expected.offset) {
                assertThat(end).contains(Kind.LENGTH_MISMATCH);
            } else {
                assertThat(end).isEmpty();
                expected.length = length;
                complete(expected);
                touch(expected);
            }
        }

        /** A file that has just got its name is kept from now on. */
        private void touch(Expected expected) {
            if (expected.isComplete && !expected.isPartial) {
                expected.touched = now;
            }
        }

        private void concatenate() {
            List<Expected> parts =
                    model.stream()
                            .filter(each ->
                                    each.isPartial
                                            && each.isComplete
                                            && !each.isGone
                                            && !each.isExpired(now))
                            .limit(1)
                            .toList();
            List<String> ids = parts.stream().map(each -> each.id).toList();
            if (ids.isEmpty()) {
                return;
            }
            UploadState state = store.concatenate(Bodies.deferred("file"), ids);
            assertThat(state.isComplete()).isTrue();
            Expected whole = new Expected(state.id(), false, state.offset(), now);
            whole.offset = parts.getFirst().length;
            whole.isComplete = true;
            model.add(whole);
            files++;
        }

        private void delete() {
            Expected expected = any();
            if (expected == null) {
                return;
            }
            Optional<Kind> end =
                    end(() -> {
                        store.delete(expected.id, "");
                        return "";
                    });
            if (expected.isGone || expected.isExpired(now)) {
                assertThat(end).contains(Kind.GONE);
                return;
            }
            assertThat(end).isEmpty();
            files -= expected.isComplete && !expected.isPartial ? 1 : 0;
            expected.isGone = true;
        }

        private void reopen() {
            store.close();
            store = open();
            model.removeIf(each -> each.isGone);
        }

        private void passTime() {
            now = now.plus(Duration.ofMinutes(random.nextInt(20)));
            if (random.nextBoolean()) {
                store.sweep();
                model.stream()
                        .filter(each -> each.isExpired(now))
                        .forEach(each -> each.isGone = true);
            }
        }

        private void compare() throws IOException {
            for (Expected each : model) {
                if (each.isGone || each.isExpired(now)) {
                    assertThat(end(() -> store.state(each.id, ""))).contains(Kind.GONE);
                    continue;
                }
                UploadState state = store.state(each.id, "");
                assertThat(state.offset()).isEqualTo(each.offset);
                assertThat(state.length().orElse(-1)).isEqualTo(each.length);
                assertThat(state.isComplete()).isEqualTo(each.isComplete);
                assertThat(state.expires()).isEqualTo(each.touched.plus(AGE));
            }
            assertThat(store.reservations().bytes())
                    .isEqualTo(model.stream().mapToLong(Expected::reserved).sum());
            assertThat(store.list(""))
                    .hasSize(
                            (int)
                                    model.stream()
                                            .filter(each -> !each.isGone && !each.isExpired(now))
                                            .count());
            try (Stream<Path> visible = Files.list(directory)) {
                List<Path> all = visible.filter(Files::isRegularFile).toList();
                assertThat(all).hasSize(files);
                for (Path file : all) {
                    assertThat(Files.readAllBytes(file))
                            .isEqualTo(bytes(0, (int) Files.size(file)));
                }
            }
        }
    }

    @Test
    void store_randomOperations_isAsTheModel() {
        long first = new Random().nextLong();
        for (int i = 0; i < SEQUENCES; i++) {
            long seed = first + i;
            Path directory = temporary.resolve("sequence" + i);
            int step = 0;
            try (Pair pair = new Pair(directory, seed)) {
                for (step = 0; step < OPERATIONS; step++) {
                    pair.step();
                }
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("Seed %d fails at operation %d".formatted(seed, step), e);
            }
        }
    }
}
