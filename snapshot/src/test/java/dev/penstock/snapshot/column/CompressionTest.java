package dev.penstock.snapshot.column;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.snapshot.memory.ByteStrings;
import dev.penstock.snapshot.memory.ByteStringsBuilder;
import dev.penstock.snapshot.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Texts come back from their tokens as they went in, and take less. */
class CompressionTest {
    private static final Memory MEMORY = new Memory(Long.MAX_VALUE);
    private static final List<String> HEROES =
            List.of(
                    "Feminist",
                    "Mad Scientist",
                    "Teacher",
                    "Boat",
                    "Crocodile",
                    "Database Administrator",
                    "Moose",
                    "Astronaut");
    private static final List<String> KINDS =
            List.of(
                    "Epic Drama",
                    "Astounding Epistle",
                    "Fanciful Documentary",
                    "Thoughtful Panorama",
                    "Taut Yarn");
    private static final List<String> VERBS =
            List.of(
                    "Battle",
                    "Build a",
                    "Overcome",
                    "Discover",
                    "Sink a",
                    "Conquer",
                    "Reach",
                    "Pursue");
    private static final List<String> PLACES =
            List.of(
                    "The Canadian Rockies",
                    "Ancient China",
                    "A Jet Boat",
                    "The Gulf of Mexico",
                    "A Baloon Factory");

    private static String description(Random random, int id) {
        return "A %s of a %s And a %s who must %s a %s in %s (%d)"
                .formatted(
                        of(KINDS, random),
                        of(HEROES, random),
                        of(HEROES, random),
                        of(VERBS, random),
                        of(HEROES, random),
                        of(PLACES, random),
                        id);
    }

    private static String of(List<String> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }

    private static List<byte[]> films(int count) {
        Random random = new Random(1);
        List<byte[]> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(description(random, i).getBytes(UTF_8));
        }
        return texts;
    }

    private static ByteStringsBuilder strings(Memory.Scratch scratch, List<byte[]> texts) {
        ByteStringsBuilder builder = new ByteStringsBuilder(scratch);
        texts.forEach(text -> builder.add(text, 0, text.length));
        return builder;
    }

    /** Encodes and decodes each text; gives how many bytes all codes have. */
    private static long roundTrip(TextCompression.Encoder encoder, List<byte[]> texts) {
        long codes = 0;
        try (Memory.Scratch scratch = MEMORY.scratch()) {
            for (byte[] text : texts) {
                byte[] input = java.util.Arrays.copyOf(text, text.length + Tokens.LONGEST);
                byte[] output = new byte[2 * text.length];
                int length = encoder.encode(input, text.length, output);
                ByteStringsBuilder one = new ByteStringsBuilder(scratch);
                one.add(output, 0, length);
                ByteStrings stored = one.build(scratch, null);
                byte[] decoded = new byte[Math.toIntExact(Tokens.mostBytes(length))];
                int end = encoder.tokens().decode(stored.bytes(), 0, length, decoded);
                assertThat(java.util.Arrays.copyOf(decoded, end)).isEqualTo(text);
                codes += length;
            }
        }
        return codes;
    }

    @Test
    void films_thatWereNoneOfTheSample_takeAThird() {
        List<byte[]> films = films(30_000);
        try (Memory.Scratch scratch = MEMORY.scratch()) {
            TextCompression.Encoder encoder =
                    new TextCompression(MEMORY).learned(strings(scratch, films.subList(0, 10_000)));
            List<byte[]> others = films.subList(20_000, 30_000);
            long bytes = others.stream().mapToLong(text -> text.length).sum();
            assertThat((double) roundTrip(encoder, others) / bytes).isLessThan(0.34);
        }
    }

    @Test
    void encode_ofAnyBytes_comesBack() {
        Random random = new Random(2);
        List<byte[]> texts = films(2_000);
        List<byte[]> odd = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            byte[] text = new byte[random.nextInt(40)];
            random.nextBytes(text);
            odd.add(text);
            byte[] cut = texts.get(i);
            odd.add(java.util.Arrays.copyOf(cut, random.nextInt(cut.length)));
            byte[] zeros = new byte[random.nextInt(20)];
            odd.add(zeros);
        }
        try (Memory.Scratch scratch = MEMORY.scratch()) {
            TextCompression.Encoder encoder =
                    new TextCompression(MEMORY).learned(strings(scratch, texts));
            assertThat(roundTrip(encoder, odd)).isPositive();
        }
    }

    @Test
    void learned_fromRandomBytes_isNotWorthIt() {
        Random random = new Random(3);
        List<byte[]> texts = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            byte[] text = new byte[100];
            random.nextBytes(text);
            texts.add(text);
        }
        try (Memory.Scratch scratch = MEMORY.scratch()) {
            assertThat(new TextCompression(MEMORY).learned(strings(scratch, texts))).isNull();
        }
    }
}
