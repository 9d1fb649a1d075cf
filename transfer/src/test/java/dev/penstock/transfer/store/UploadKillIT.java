package dev.penstock.transfer.store;

import static dev.penstock.transfer.store.Bodies.append;
import static dev.penstock.transfer.store.Bodies.body;
import static dev.penstock.transfer.store.Bodies.bytes;
import static dev.penstock.transfer.store.Bodies.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transfer.Durability;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.digest.Digest;
import dev.penstock.transfer.digest.DigestAlgorithm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that receive uploads, killed at random moments. */
@Timeout(1_800)
class UploadKillIT {
    private static final int KILLS = Boolean.getBoolean("penstock.soak") ? 200 : 20;
    private static final int LENGTH = 3_000_000;
    private static final List<Durability> POLICIES = List.of(Durability.values());

    @TempDir Path directory;

    private static UploadStore open(Path directory, Durability durability) {
        StoreSettings settings =
                StoreSettings.defaults()
                        .withSweepInterval(Duration.ZERO)
                        .withDurability(durability);
        return UploadStore.open(directory, settings, UploadHooks.NONE);
    }

    /**
     * The process: receives one upload after another, each in appends of all kinds, and prints every offset that it
     * states, and after it every one that has been stated is there.
     */
    static final class Receiver {
        private Receiver() {}

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            Random random = new Random(Long.parseLong(arguments[2]));
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
            try (UploadStore store = open(directory, Durability.valueOf(arguments[1]))) {
                store.sweep();
                out.println("opened");
                while (true) {
                    receive(store, random, out);
                }
            }
        }

        private static void receive(UploadStore store, Random random, PrintStream out)
                throws IOException {
            UploadState state =
                    store.list("").stream()
                            .filter(each -> !each.isComplete())
                            .findFirst()
                            .orElseGet(() -> store.create(Bodies.upload(LENGTH, "file")));
            say(out, state);
            while (!state.isComplete()) {
                long offset = state.offset();
                int length = (int) Math.min(1 + random.nextInt(1_000_000), LENGTH - offset);
                int piece = 1 + random.nextInt(70_000);
                Append append =
                        random.nextBoolean()
                                ? append(body(offset, length, piece), length)
                                : checked(offset, length, piece);
                state = store.append(state.id(), "", offset, append);
                say(out, state);
            }
            store.delete(state.id(), "");
        }

        private static Append checked(long offset, int length, int piece) {
            Digest digest = DigestAlgorithm.CRC32C.start();
            digest.update(ByteBuffer.wrap(bytes(offset, length)));
            return verified(body(offset, length, piece), DigestAlgorithm.CRC32C, digest.value());
        }

        private static void say(PrintStream out, UploadState state) {
            out.println(state.id() + " " + state.offset() + " " + state.isComplete());
        }
    }

    @Test
    void kill_atRandomMoments_neverGoesBackBehindAnOffsetThatWasStated() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            Durability durability = POLICIES.get(kill % POLICIES.size());
            String told = runAndKill(durability, random);
            requireTold(durability, told, "kill %d of seed %d".formatted(kill, seed));
        }
    }

    /** Runs a process for a random number of its messages and a random moment more, and kills it. */
    private String runAndKill(Durability durability, Random random) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx32m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Receiver.class.getName(),
                                directory.toString(),
                                durability.name(),
                                Long.toString(random.nextLong()))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(
                                process.getInputStream(), StandardCharsets.US_ASCII))) {
            assertThat(out.readLine()).isEqualTo("opened");
            String last = "";
            for (int messages = random.nextInt(30); messages > 0; messages--) {
                last = String.valueOf(out.readLine());
            }
            spin(random.nextInt(5_000));
            // Not of the process itself, which would close its output.
            assertThat(process.toHandle().destroyForcibly()).isTrue();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                last = line;
            }
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return last;
        } finally {
            process.destroyForcibly();
        }
    }

    /** A moment that is not bound to any message. */
    private static void spin(int micros) {
        long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private void requireTold(Durability durability, String told, String when) throws IOException {
        String[] words = told.split(" ", -1);
        try (UploadStore store = open(directory, durability)) {
            store.sweep();
            List<UploadState> states = store.list("");
            for (UploadState state : states) {
                if (words.length == 3 && state.id().equals(words[0])) {
                    assertThat(state.offset())
                            .as(when)
                            .isGreaterThanOrEqualTo(Long.parseLong(words[1]));
                }
                Path data = directory.resolve(".uploads").resolve(state.id()).resolve("data");
                if (!state.isComplete()) {
                    assertThat(Files.readAllBytes(data))
                            .as(when)
                            .isEqualTo(bytes(0, (int) state.offset()));
                }
            }
            if (words.length == 3 && words[2].equals("false")) {
                assertThat(states).as(when).anyMatch(state -> state.id().equals(words[0]));
            }
            requireNothingElse(states, when);
        }
    }

    /** Complete files and no others; one that was being deleted may be gone before its state. */
    private void requireNothingElse(List<UploadState> states, String when) throws IOException {
        long complete = states.stream().filter(UploadState::isComplete).count();
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> visible = files.filter(Files::isRegularFile).toList();
            assertThat(visible).as(when).hasSizeLessThanOrEqualTo((int) complete);
            for (Path file : visible) {
                assertThat(file).as(when).hasBinaryContent(bytes(0, LENGTH));
            }
        }
    }
}
