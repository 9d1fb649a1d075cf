package dev.penstock.http.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.HttpException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartTest {
    private static final String BOUNDARY = "----x-Y7";

    /** What the reader's buffer holds. */
    private static final int BUFFER = 16 * 1024;

    /** A body that comes in pieces of given sizes, as from a network. */
    private record Pieces(ByteBuffer bytes, Random random) implements ReadableByteChannel {
        @Override
        public int read(ByteBuffer to) {
            if (!bytes.hasRemaining()) {
                return -1;
            }
            int most = random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 1 + random.nextInt(40_000);
            int count = Math.min(most, Math.min(to.remaining(), bytes.remaining()));
            to.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static Multipart form(String body) {
        return form(body.getBytes(StandardCharsets.UTF_8), MultipartLimits.DEFAULT, new Random(1));
    }

    private static Multipart form(byte[] body, MultipartLimits limits, Random random) {
        return Multipart.read(new Pieces(ByteBuffer.wrap(body), random), BOUNDARY, limits);
    }

    private static String field(String name, String value) {
        return "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
                .formatted(BOUNDARY, name, value);
    }

    private static final String END = "--" + BOUNDARY + "--\r\n";

    private static Part onlyPart(String head) throws IOException {
        return form("--%s\r\n%s\r\n\r\nx\r\n%s".formatted(BOUNDARY, head, END))
                .next()
                .orElseThrow();
    }

    @Test
    void parts_ofAnyLength_areReadAsTheyWereWritten() throws Exception {
        for (long seed = 0; seed < 600; seed++) {
            Random random = new Random(seed);
            String boundary = boundary(random);
            List<byte[]> contents = new ArrayList<>();
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.writeBytes(ascii(random.nextInt(3) == 0 ? "preamble\r\n--\r\n" : ""));
            for (int i = random.nextInt(6); i >= 0; i--) {
                byte[] content = content(random, boundary);
                contents.add(content);
                body.writeBytes(
                        ascii(
                                "--%s\r\nContent-Disposition: form-data; name=\"n%d\"\r\n\r\n"
                                        .formatted(boundary, contents.size())));
                body.writeBytes(content);
                body.writeBytes(ascii("\r\n"));
            }
            body.writeBytes(ascii("--" + boundary + "--\r\n"));
            body.writeBytes(new byte[random.nextInt(3) * random.nextInt(40_000)]);
            Pieces pieces = new Pieces(ByteBuffer.wrap(body.toByteArray()), random);
            Multipart form = Multipart.read(pieces, boundary, MultipartLimits.DEFAULT);
            for (int i = 0; i < contents.size(); i++) {
                Part part = form.next().orElseThrow();
                assertThat(part.name()).isEqualTo("n" + (i + 1));
                if (random.nextInt(4) > 0) {
                    assertThat(read(part, random))
                            .as("part %d of seed %d", i, seed)
                            .isEqualTo(contents.get(i));
                }
            }
            assertThat(form.next()).isEmpty();
            assertThat(form.next()).isEmpty();
            assertThat(pieces.bytes.hasRemaining()).as("epilogue left, seed %d", seed).isFalse();
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** From one character to the 70 that there may be, of all that there may be; a space not at the end. */
    private static String boundary(Random random) {
        String characters = "-abZ09'()+_,./:=? ";
        int length = List.of(1, 2, 9, 69, 70).get(random.nextInt(5));
        StringBuilder boundary = new StringBuilder();
        while (boundary.length() < length - 1) {
            boundary.append(characters.charAt(random.nextInt(characters.length())));
        }
        return boundary.append(characters.charAt(random.nextInt(characters.length() - 1)))
                .toString();
    }

    /** Of a length about the buffer's, now and then, and with what looks like the beginning of a delimiter. */
    private static byte[] content(Random random, String boundary) {
        int length =
                switch (random.nextInt(4)) {
                    case 0 -> random.nextInt(4);
                    case 1 -> BUFFER - 100 + random.nextInt(200);
                    case 2 -> 3 * BUFFER + random.nextInt(BUFFER);
                    default -> random.nextInt(1_000);
                };
        byte[] content = new byte[length];
        random.nextBytes(content);
        for (int i = 0; i < length; i++) {
            // So that no delimiter is there by chance, however short it is.
            content[i] = content[i] == '\n' ? (byte) 'n' : content[i];
        }
        byte[] almost = ascii("\r\n--" + boundary);
        for (int at = random.nextInt(60);
                at < length;
                at += almost.length + random.nextInt(5_000)) {
            int count = Math.min(length - at, 1 + random.nextInt(almost.length - 1));
            System.arraycopy(almost, 0, content, at, count);
            // What follows must not complete it.
            if (at + count < length) {
                content[at + count] = 0;
            }
        }
        return content;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 70})
    void delimiter_atEveryPlaceOfTheBuffer_isFound(int boundaryLength) throws Exception {
        String boundary = "-".repeat(boundaryLength - 1) + "x";
        String head = "--" + boundary + "\r\nContent-Disposition: form-data; name=a\r\n\r\n";
        int least = BUFFER - head.length() - 2 * (boundaryLength + 8);
        for (int length = least; length <= BUFFER + 2; length++) {
            String body = head + "\r".repeat(length) + "\r\n" + head + "\r\n--" + boundary + "--";
            ReadableByteChannel channel =
                    Channels.newChannel(new ByteArrayInputStream(ascii(body)));
            Multipart form = Multipart.read(channel, boundary, MultipartLimits.DEFAULT);
            assertThat(form.next().orElseThrow().readBytes(20_000))
                    .as("%d", length)
                    .hasSize(length);
            assertThat(form.next().orElseThrow().readBytes(0)).isEmpty();
            assertThat(form.next()).isEmpty();
        }
    }

    private static byte[] read(Part part, Random random) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (random.nextBoolean()) {
            long count = part.transferTo(Channels.newChannel(out));
            assertThat(count).isEqualTo(out.size());
        } else {
            ByteBuffer step = ByteBuffer.allocate(1 + random.nextInt(20_000));
            while (part.content().read(step) >= 0) {
                out.write(step.array(), 0, step.position());
                step.clear();
            }
        }
        return out.toByteArray();
    }

    @Test
    void parts_withoutEnd_areAnError() {
        String whole = field("a", "1") + field("b", "2") + END;
        for (int length = 0; length < whole.length() - 4; length++) {
            String cut = whole.substring(0, length);
            assertThatThrownBy(() -> form(cut).forEach(_ -> {}))
                    .as("%d bytes of %d", length, whole.length())
                    .isInstanceOf(HttpException.class)
                    .satisfies(e -> assertThat(((HttpException) e).status()).isEqualTo(400));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x--B\r\n",
                "\n--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1--B--",
                "--Bx\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--",
                "--B\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\"\n\r\n1\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\r\n\r\n1\r\n--B--",
                "--B\r\nContent-Disposition: form-data\r\n\r\n1\r\n--B--",
                "--B\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n1\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\n1\r\n--B--",
                "--B\r\nContent-Type: text/plain\r\n\r\n1\r\n--B--",
                "--B\r\n: x\r\n\r\n1\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n"
                        + "Content-Disposition: form-data; name=\"b\"\r\n\r\n1\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n"
                        + "Content-Transfer-Encoding: base64\r\n\r\n1\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\"; filename=\"x\ty\"\r\n\r\n1\r\n--B--",
            })
    void parts_malformed_areAnError(String body) {
        assertThatThrownBy(() -> form(body.replace("--B", "--" + BOUNDARY)).next())
                .isInstanceOf(HttpException.class)
                .satisfies(e -> assertThat(((HttpException) e).status()).isEqualTo(400));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "filename=\"a.txt\" | a.txt",
                "filename=a.txt | a.txt",
                "filename=\"/etc/passwd\" | passwd",
                "filename=\"C:\\temp\\x.png\" | x.png",
                "filename=\"..\\..\\x\" | x",
                "filename=\"../..\" | ''",
                "filename=\".\" | ''",
                "filename=\"C:x\" | x",
                "filename=\"C:\" | ''",
                "filename=\"C:D:x.txt\" | x.txt",
                "filename=\"..\\C:..\" | ''",
                "filename=\"12:30.txt\" | 12:30.txt",
                "filename=\"\" | ''",
                "filename=\"a%22b\" | a\"b",
                "filename=\"a\\\"b\" | a\"b",
                "filename=\"grün.txt\" | grün.txt",
                "filename*=UTF-8''gr%C3%BCn.txt | grün.txt",
                "filename=\"x\"; filename*=utf-8'de'..%2Fy | y",
            })
    void fileName_asClientsSendIt_isNoPath(String parameter, String expected) throws Exception {
        Part part = onlyPart("Content-Disposition: form-data; name=\"f\"; " + parameter);
        assertThat(part.fileName()).contains(expected);
    }

    @Test
    void text_isInItsCharset() throws Exception {
        byte[] latin =
                ("--%s\r\nContent-Disposition: form-data; name=\"a\"\r\n".formatted(BOUNDARY)
                                + "Content-Type: text/plain; charset=iso-8859-1\r\n\r\ngr\u00fcn\r\n"
                                + END)
                        .getBytes(StandardCharsets.ISO_8859_1);
        Part part = form(latin, MultipartLimits.DEFAULT, new Random(3)).next().orElseThrow();
        assertThat(part.readText(10)).isEqualTo("gr\u00fcn");
    }

    @Test
    void limits_areTold() throws Exception {
        MultipartLimits limits = new MultipartLimits(2, 10, 100, 256, 8);
        byte[] three =
                (field("a", "1") + field("b", "2") + field("c", "3") + END)
                        .getBytes(StandardCharsets.US_ASCII);
        Multipart form = form(three, limits, new Random(4));
        form.next();
        form.next();
        assertThatThrownBy(form::next).hasMessage("The form has more than 2 parts");
        Part large =
                form(
                                (field("a", "12345678901") + END)
                                        .getBytes(StandardCharsets.US_ASCII),
                                limits,
                                new Random(5))
                        .next()
                        .orElseThrow();
        assertThatThrownBy(() -> large.readText(100))
                .hasMessage("The part a has more than 10 bytes, which is the limit of a part");
        assertThatThrownBy(() ->
                        form(
                                        (field("123456789", "1") + END)
                                                .getBytes(StandardCharsets.US_ASCII),
                                        limits,
                                        new Random(6))
                                .next())
                .hasMessage("The name of a part has 9 bytes; the limit is 8");
        String head = "X: " + "y".repeat(300);
        assertThatThrownBy(() ->
                        form(
                                        ("--" + BOUNDARY + "\r\n" + head + "\r\n\r\n")
                                                .getBytes(StandardCharsets.US_ASCII),
                                        limits,
                                        new Random(7))
                                .next())
                .hasMessageContaining("longer than the 256 bytes");
        Part text = form(field("a", "123456") + END).next().orElseThrow();
        assertThatThrownBy(() -> text.readText(5)).hasMessage("The part a has more than 5 bytes");
        assertThatThrownBy(() -> new MultipartLimits(0, 1, 1, 256, 1))
                .hasMessage("parts is 0; it must be from 1 to 2147483647");
    }

    @Test
    void parts_aHundredThousand_areRefusedWithoutBeingHeld() {
        ReadableByteChannel endless =
                new ReadableByteChannel() {
                    private final byte[] one = field("a", "").getBytes(StandardCharsets.US_ASCII);
                    private int at;

                    @Override
                    public int read(ByteBuffer to) {
                        int count = Math.min(to.remaining(), one.length - at);
                        to.put(one, at, count);
                        at = (at + count) % one.length;
                        return count;
                    }

                    @Override
                    public boolean isOpen() {
                        return true;
                    }

                    @Override
                    public void close() {}
                };
        Multipart form = Multipart.read(endless, BOUNDARY, MultipartLimits.DEFAULT);
        assertThatThrownBy(() -> form.forEach(_ -> {}))
                .hasMessage("The form has more than 1000 parts");
    }

    @Test
    void field_emptyAndBoundaryWithPadding_areTaken() throws Exception {
        String body =
                field("a", "").replace(BOUNDARY + "\r", BOUNDARY + " \t\r") + END + "epilogue";
        Multipart form = form("\r\n" + body);
        assertThat(form.next().orElseThrow().readText(0)).isEmpty();
        assertThat(form.next()).isEmpty();
    }

    @Test
    void content_readTwice_isAtItsEnd() throws Exception {
        Part part = form(field("a", "12") + END).next().orElseThrow();
        assertThat(part.readText(2)).isEqualTo("12");
        assertThat(part.content().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void content_ofAPartThatWasPassedOver_isRefused() throws Exception {
        Multipart form = form(field("a", "12") + field("b", "3") + END);
        Part first = form.next().orElseThrow();
        form.next();
        assertThatThrownBy(() -> first.readText(2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("read it before");
    }

    @Test
    void transferTo_whenSomeWasRead_countsTheRest() throws Exception {
        Part part = form(field("a", "123456") + END).next().orElseThrow();
        assertThat(part.content().read(ByteBuffer.allocate(2))).isEqualTo(2);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(part.transferTo(Channels.newChannel(out))).isEqualTo(4);
        assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo("3456");
    }

    @Test
    void next_afterAnError_throwsItAgain() {
        Multipart form = form(field("a", "1") + "--" + BOUNDARY + "x");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> form.forEach(_ -> {}))
                    .isInstanceOf(HttpException.class)
                    .hasMessageStartingWith("A boundary in the multipart body");
        }
    }

    @Test
    void part_whoseHeadEndsWithTheDelimitersLineBreak_isEmpty() throws Exception {
        String head = "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=";
        Multipart form = form(head + "a\r\n\r\n" + head + "b\r\n\r\n2\r\n" + END);
        assertThat(form.next().orElseThrow().readText(0)).isEmpty();
        Part second = form.next().orElseThrow();
        assertThat(second.name()).isEqualTo("b");
        assertThat(second.readText(1)).isEqualTo("2");
        assertThat(form.next()).isEmpty();
    }

    @Test
    void saveAs_whole_isTheFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("a");
        assertThat(form(field("a", "123") + END).next().orElseThrow().saveAs(file)).isEqualTo(3);
        assertThat(file).hasContent("123");
        Part again = form(field("a", "4") + END).next().orElseThrow();
        assertThatThrownBy(() -> again.saveAs(file)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("123");
    }

    @Test
    void saveAs_ofABodyThatIsCut_leavesNoFile(@TempDir Path folder) throws Exception {
        Part part = form(field("a", "1".repeat(50_000))).next().orElseThrow();
        assertThatThrownBy(() -> part.saveAs(folder.resolve("a")))
                .isInstanceOf(HttpException.class);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void contentType_malformed_isToldWhereItIsAskedFor() throws Exception {
        String head = "Content-Disposition: form-data; name=a\r\nContent-Type: ";
        assertThat(onlyPart(head).contentType()).isEmpty();
        assertThat(onlyPart(head + "text/PLAIN").contentType().orElseThrow().name())
                .isEqualTo("text/plain");
        Part part = onlyPart(head + "text");
        assertThat(part.name()).isEqualTo("a");
        assertThatThrownBy(part::contentType)
                .isInstanceOf(HttpException.class)
                .hasMessageContaining("No media type");
    }
}
