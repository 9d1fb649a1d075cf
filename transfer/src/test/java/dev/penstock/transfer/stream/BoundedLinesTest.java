package dev.penstock.transfer.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transfer.TransferException;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BoundedLinesTest {
    private static final String[] ENDS = {"\n", "\r\n", "\r", "\n\n", "\r\r\n", ""};

    static int[] lengths() {
        return Pieces.LENGTHS;
    }

    private static List<String> lines(byte[] bytes, Charset charset, int most, long seed)
            throws IOException {
        List<String> lines = new ArrayList<>();
        try (BoundedLines text = BoundedLines.of(new Pieces.Stream(bytes, seed), charset, most)) {
            for (String line = text.readLine(); line != null; line = text.readLine()) {
                lines.add(line);
            }
            assertThat(text.readLine()).isNull();
        }
        return lines;
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16", "ISO-8859-1", "windows-1252", "Shift_JIS"})
    void lines_ofAnyText_areThoseOfABufferedReader(String name) throws IOException {
        Charset charset = Charset.forName(name);
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            int longest = random.nextBoolean() ? 20 : 10_000;
            for (int i = random.nextInt(20); i > 0; i--) {
                for (int n = random.nextInt(longest); n > 0; n--) {
                    text.append(random.nextInt(10) == 0 ? "日é😀".charAt(random.nextInt(4)) : 'x');
                }
                text.append(ENDS[random.nextInt(ENDS.length)]);
            }
            byte[] bytes = text.toString().getBytes(charset);
            List<String> expected =
                    new BufferedReader(
                                    new InputStreamReader(new ByteArrayInputStream(bytes), charset))
                            .lines()
                            .toList();
            assertThat(lines(bytes, charset, 200_000, seed)).as("seed " + seed).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void line_asLongAsItMayBe_isRead_andOneLongerFails(int length) throws IOException {
        int most = Math.max(1, length);
        String line = "x".repeat(most);
        for (String end : ENDS) {
            byte[] fits = (line + end + "y").getBytes(StandardCharsets.UTF_8);
            if (!end.isEmpty()) {
                assertThat(lines(fits, StandardCharsets.UTF_8, most, length))
                        .startsWith(line)
                        .endsWith("y");
            }
            byte[] tooLong = ("a\n" + line + "z" + end + "\nn").getBytes(StandardCharsets.UTF_8);
            BoundedLines text =
                    BoundedLines.of(
                            new Pieces.Stream(tooLong, length), StandardCharsets.UTF_8, most);
            assertThat(text.readLine()).isEqualTo("a");
            assertThatThrownBy(text::readLine)
                    .isInstanceOfSatisfying(
                            TransferException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransferException.Kind.TOO_LARGE))
                    .hasMessageContaining("Line 2 has more than " + most + " characters");
            String behind = text.readLine();
            while (behind != null && behind.isEmpty()) {
                behind = text.readLine();
            }
            assertThat(behind).isEqualTo("n");
        }
    }

    @Test
    void line_withoutEnd_failsBeforeMuchIsRead() {
        InputStream endless =
                new InputStream() {
                    @Override
                    public int read() {
                        return 'x';
                    }
                };
        Pieces.Stream source = new Pieces.Stream(endless, 1);
        BoundedLines text = BoundedLines.of(source, StandardCharsets.UTF_8, 100_000);
        assertThatThrownBy(text::readLine).isInstanceOf(TransferException.class);
        assertThat(source.taken).isLessThan(100_000 + 32 * 1024);
    }

    @Test
    void malformedBytes_areReplacedOrFail() throws IOException {
        byte[] bytes = {'a', (byte) 0xff, '\n', 'b'};
        assertThat(lines(bytes, StandardCharsets.UTF_8, 10, 1)).containsExactly("a\ufffd", "b");
        BoundedLines strict =
                BoundedLines.of(
                        new ByteArrayInputStream(bytes), StandardCharsets.UTF_8.newDecoder(), 10);
        assertThatThrownBy(strict::readLine).isInstanceOf(CharacterCodingException.class);
        assertThatThrownBy(() ->
                        BoundedLines.of(InputStream.nullInputStream(), StandardCharsets.UTF_8, 0))
                .hasMessageContaining("not 0");
    }

    @Test
    void line_whoseEndHasCome_isReturnedBeforeMoreComes() throws IOException {
        byte[] first = "one\rtwo".getBytes(StandardCharsets.UTF_8);
        InputStream more =
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("This would wait");
                    }

                    @Override
                    public int read(byte[] target, int offset, int length) throws IOException {
                        throw new IOException("This would wait");
                    }
                };
        BoundedLines text =
                BoundedLines.of(Streams.prefix(first, more), StandardCharsets.UTF_8, 10);
        assertThat(text.readLine()).isEqualTo("one");
        assertThatThrownBy(text::readLine).hasMessage("This would wait");
    }
}
