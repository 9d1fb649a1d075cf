package dev.penstock.http.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The cases of {@link FormCase}. For one thread. */
final class FormCases {
    private static final int MAX_BODY = FormCase.MAX_BODY;
    private static final int MAX_BYTES = FormCase.MAX_BYTES;
    private static final String BOUNDARY = "----b-Y7";
    private static final String MULTIPART = "multipart/form-data; boundary=" + BOUNDARY;
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String END = "--" + BOUNDARY + "--\r\n";

    private final List<FormCase> all = new ArrayList<>();

    FormCases() {
        addForms();
        addBodies();
        addWholeParts();
        addMalformedParts();
    }

    List<FormCase> all() {
        return List.copyOf(all);
    }

    private void add(
            String name,
            String path,
            @Nullable String type,
            String body,
            int status,
            String contains) {
        all.add(new FormCase(name, path, type, "", body, status, contains));
    }

    private void form(String name, String body, int status, String contains) {
        add(name, "/form", FORM, body, status, contains);
    }

    private void parts(String name, String body, int status, String contains) {
        add(name, "/parts", MULTIPART, body, status, contains);
    }

    private void addForms() {
        String utf8 = new String("a=ü".getBytes(UTF_8), ISO_8859_1);
        form("form", "a=1&b=x+y%26&c&a=", 200, "a=1;b=x y&;c=;a=");
        add(
                "form in any case",
                "/form",
                FORM.toUpperCase(Locale.ROOT) + ";charset=UTF-8",
                "a=1",
                200,
                "a=1");
        form("form that is empty", "", 200, "");
        form("form in raw UTF-8", utf8 + "%20" + utf8, 200, "a=ü a=ü");
        form("form with 1,000 fields", "a&".repeat(999) + "b=1", 200, "a=;b=1");
        form("form with 1,001 fields", "a&".repeat(1000) + "b", 413, "more than 1000 fields");
        form("form of the greatest size", "a=" + "b".repeat(MAX_BYTES - 2), 200, "bbb");
        form(
                "form too large",
                "a=" + "b".repeat(MAX_BYTES - 1),
                413,
                "larger than the 100000 bytes");
        form("form with half an escape", "a=%2", 400, "The form has a '%' at 2 without two");
        form("form with an escape of no UTF-8", "a=%FF", 400, "not UTF-8");
        String wide = new String("a=%\uff12\uff10".getBytes(UTF_8), ISO_8859_1);
        form("form with an escape of wide digits", wide, 400, "without two hexadecimal digits");
        form("form in Latin-1", "a=\u00fc", 400, "not UTF-8");
        form("form with an escaped NUL", "a=%00", 400, "The form has a NUL (%00) at 2");
        form("form with a NUL", "a=\0", 400, "NUL");
        add(
                "form of another type",
                "/form",
                "text/plain",
                "a=1",
                415,
                "application/x-www-form-urlencoded");
        add("form of no type", "/form", null, "a=1", 415, "application/x-www-form-urlencoded");
        add("form of a malformed type", "/form", "x", "a=1", 400, "No media type");
    }

    private void addBodies() {
        for (String path : new String[] {"/bytes", "/stream"}) {
            for (int length :
                    new int[] {
                        0, 1, 8_191, 8_193, 16_384, 32_769, 65_536, 65_537, 99_999, MAX_BYTES
                    }) {
                add(
                        path + " of " + length,
                        path,
                        "x/y",
                        "z".repeat(length),
                        200,
                        length + " bytes");
            }
            for (int length : new int[] {MAX_BYTES + 1, MAX_BYTES + 70_000}) {
                add(
                        path + " of " + length,
                        path,
                        "x/y",
                        "z".repeat(length),
                        413,
                        "larger than the 100000 bytes");
            }
        }
        add("text in UTF-8", "/text", "text/plain", "\u00c3\u00bc", 200, "ü");
        add("text in Latin-1", "/text", "text/plain; charset=\"iso-8859-1\"", "\u00fc", 200, "ü");
        add("text that is none", "/text", "text/plain", "\u00fc", 400, "not text in UTF-8");
        add(
                "text of no charset known",
                "/text",
                "text/plain; charset=klingon",
                "a",
                415,
                "klingon is not known");
        add(
                "text of a malformed charset",
                "/text",
                "text/plain; charset=\u00fc",
                "a",
                415,
                "is not known");
        add(
                "text of two charsets",
                "/text",
                "text/plain; charset=utf-8; charset=utf-16",
                "a",
                400,
                "twice");
        for (String coding :
                new String[] {"gzip", "deflate", "br", "zstd", "identity, gzip", "x"}) {
            String body = "\u001f\u008b";
            for (String path : new String[] {"/bytes", "/text", "/stream"}) {
                all.add(
                        new FormCase(
                                path + " in " + coding,
                                path,
                                "text/plain",
                                coding,
                                body,
                                415,
                                "without"));
            }
            all.add(new FormCase("form in " + coding, "/form", FORM, coding, body, 415, "without"));
            all.add(
                    new FormCase(
                            "parts in " + coding,
                            "/parts",
                            MULTIPART,
                            coding,
                            body,
                            415,
                            "without"));
        }
    }

    private static String part(String head, String content) {
        return "--%s\r\nContent-Disposition: form-data; %s\r\n\r\n%s\r\n"
                .formatted(BOUNDARY, head, content);
    }

    private void addWholeParts() {
        Random random = new Random(17);
        for (int length :
                new int[] {0, 1, 16_200, 16_383, 16_384, 16_385, 32_768, 65_535, 65_537, 200_000}) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            String content = new String(bytes, ISO_8859_1);
            String expected =
                    "f|a.bin|-|%d|%d;b|-|-|1|80;end".formatted(length, Arrays.hashCode(bytes));
            parts(
                    "parts of " + length,
                    part("name=\"f\"; filename=\"a.bin\"", content) + part("name=b", "1") + END,
                    200,
                    expected);
        }
        String one = part("name=a", "1");
        String expected = "a|-|-|1|80;end";
        parts("parts with a preamble", "This is multipart.\r\n" + one + END, 200, expected);
        parts("parts with an epilogue", one + END + "x".repeat(100_000), 200, expected);
        parts("parts without the last line break", one + "--" + BOUNDARY + "--", 200, expected);
        add(
                "parts of a quoted boundary",
                "/parts",
                "multipart/form-data; boundary=\"" + BOUNDARY + "\"",
                one + END,
                200,
                expected);
        parts("no parts", END, 200, "end");
        parts(
                "parts with a line that only begins as the boundary",
                part("name=a", "\r\n------b-Y"),
                400,
                "before its closing boundary");
        String[][] names = {
            {"../../etc/passwd", "passwd"},
            {"C:\\\\x\\\\y.txt", "y.txt"},
            {"C:\\x\\y.txt", "y.txt"},
            {"C:y.txt", "y.txt"},
            {"..", ""},
            {"/", ""},
        };
        for (String[] name : names) {
            parts(
                    "file " + name[0],
                    part("name=a; filename=\"%s\"".formatted(name[0]), "1") + END,
                    200,
                    "a|" + name[1] + "|-|1|80;end");
        }
        parts(
                "file by filename*",
                part("name=a; filename=x; filename*=UTF-8''..%2F..%2Fgr%C3%BCn", "1") + END,
                200,
                "a|grün|-|1|80;end");
    }

    private void addMalformedParts() {
        String one = part("name=a", "1");
        add(
                "parts of another type",
                "/parts",
                "multipart/mixed; boundary=x",
                one + END,
                415,
                "multipart/form-data");
        add("parts of no boundary", "/parts", "multipart/form-data", one + END, 400, "no boundary");
        add(
                "parts of a long boundary",
                "/parts",
                "multipart/form-data; boundary=" + "b".repeat(71),
                one + END,
                400,
                "no boundary of 1 to 70");
        add(
                "parts of two boundaries",
                "/parts",
                MULTIPART + "; boundary=x",
                one + END,
                400,
                "twice");
        add(
                "parts of another boundary",
                "/parts",
                "multipart/form-data; boundary=x",
                one + END,
                400,
                "does not have the boundary");
        parts("parts without an end", one, 400, "before its closing boundary");
        parts(
                "parts that end within one",
                one + part("name=b", "x".repeat(100_000)).stripTrailing(),
                400,
                "before its closing boundary");
        parts(
                "parts with bare LF",
                (one + END).replace("\r\n", "\n"),
                400,
                "is not the whole of its line");
        parts(
                "a boundary with more behind it",
                one + "--" + BOUNDARY + "x\r\n",
                400,
                "is not the whole of its line");
        parts("an empty body", "", 400, "does not have the boundary");
        parts("a long preamble", "x".repeat(30_000) + "\r\n" + one + END, 400, "first 8192 bytes");
        parts("21 parts", one.repeat(21) + END, 413, "more than 20 parts");
        parts(
                "100,000 parts",
                part("name=a", "").repeat(100_000).substring(0, MAX_BODY - 1),
                413,
                "more than 20 parts");
        parts(
                "a part too large",
                part("name=a", "x".repeat(200_001)) + END,
                413,
                "more than 200000 bytes");
        parts(
                "parts too large together",
                part("name=a", "x".repeat(150_000)).repeat(3) + END,
                413,
                "more than 400000 bytes together");
        parts(
                "a body too large",
                part("name=a", "x".repeat(100_000)).repeat(3) + END + "x".repeat(MAX_BODY),
                413,
                "600000");
        parts(
                "a long head",
                "--%s\r\nX: %s\r\n\r\n".formatted(BOUNDARY, "y".repeat(1_100)),
                413,
                "head of a part");
        parts(
                "a head of many lines",
                "--%s\r\n".formatted(BOUNDARY)
                        + "X%d: 1\r\n"
                                .repeat(17)
                                .formatted(IntStream.range(0, 17).boxed().toArray())
                        + "\r\n",
                413,
                "16 lines");
        parts(
                "a long name",
                part("name=" + "n".repeat(101), "") + END,
                413,
                "101 bytes; the limit is 100");
        parts(
                "a long file name",
                part("name=a; filename=" + "n".repeat(101), "") + END,
                413,
                "101 bytes; the limit is 100");
        parts("no name", part("filename=a", "") + END, 400, "form-data with a name");
        parts(
                "a file name with NUL",
                part("name=a; filename=\"x\0.png\"", "") + END,
                400,
                "control character");
        parts(
                "a file name with an escaped NUL",
                part("name=a; filename*=utf-8''x%00", "") + END,
                400,
                "NUL");
        parts(
                "a file name with a line break",
                part("name=a; filename=\"x%0D%0Ay\"", "") + END,
                400,
                "control character");
        parts(
                "a file name in another charset",
                part("name=a; filename*=latin-1''x", "") + END,
                400,
                "not in UTF-8");
        parts("a name in Latin-1", part("name=\u00fc", "") + END, 400, "not UTF-8");
    }
}
