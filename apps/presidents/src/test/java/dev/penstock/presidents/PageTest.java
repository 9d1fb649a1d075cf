package dev.penstock.presidents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.format.PageTemplate;
import dev.penstock.query.QueryException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageTest {
    private static final List<President> ALL =
            Presidency.all().stream()
                    .map(each ->
                            new President(
                                    each.name(),
                                    each.start(),
                                    each.end(),
                                    each.picture(),
                                    each.summary()))
                    .toList();

    /** The article's table. */
    @ParameterizedTest
    @CsvSource({
        "86, 879530",
        "129, 1318997",
        "172, 1758467",
        "301, 3076877",
        "473, 4834758",
        "989, 10108398"
    })
    void page_isAsLargeAsTheArticles_withinThreePercent(int rows, long bytes) throws IOException {
        List<President> presidents =
                IntStream.range(0, rows).mapToObj(row -> ALL.get(row % 43)).toList();
        long size = page(Presidents.JTE, presidents).getBytes(StandardCharsets.UTF_8).length;
        assertThat(size).isCloseTo(bytes, within(bytes * 3 / 100));
    }

    @Test
    void engines_giveTheSamePage() throws IOException {
        List<President> hostile = new ArrayList<>(ALL);
        hostile.add(hostile());
        String jte = page(Presidents.JTE, hostile);
        assertSame(page(Presidents.STRING_TEMPLATE, hostile), jte);
        assertSame(whole(hostile), jte);
        assertSame(whole(President.lazily(new ListCursor(hostile))), jte);
    }

    @Test
    void page_isBalancedHtml_withOneRowEach() throws IOException {
        String page = page(Presidents.JTE, ALL);
        assertThat(page).startsWith("<!DOCTYPE html>\n<html lang=\"en\">");
        Deque<String> open = new ArrayDeque<>();
        Matcher tag = Pattern.compile("<(/?)([a-z0-9]+)[^>]*>").matcher(page);
        int rows = 0;
        while (tag.find()) {
            String name = tag.group(2);
            if (Set.of("meta", "img", "link", "br").contains(name)) {
                continue;
            }
            rows += tag.group().equals("<tr>") ? 1 : 0;
            if (tag.group(1).isEmpty()) {
                open.push(name);
            } else {
                assertThat(open.pop()).isEqualTo(name);
            }
        }
        assertThat(open).isEmpty();
        assertThat(rows).isEqualTo(1 + ALL.size());
    }

    @Test
    void texts_areEscaped_inBothEngines() throws IOException {
        for (PageTemplate template : List.of(Presidents.JTE, Presidents.STRING_TEMPLATE)) {
            String page = page(template, List.of(hostile()));
            assertThat(page).doesNotContain("<script>").doesNotContain("</td><b>");
            assertThat(page).contains("&lt;script&gt;alert(1)&lt;/script&gt; $row.name$ ${x}");
            assertThat(page).contains("Ünïcode 🦅 &amp; &lt;/td&gt;&lt;b&gt;");
        }
    }

    @Test
    void incumbent_hasNoLastDay_andThePageSaysSo() throws IOException {
        String page = page(Presidents.JTE, ALL.subList(45, 47));
        assertThat(page).containsOnlyOnce("<td class=\"to\">incumbent</td>");
        assertThat(page).contains("<td class=\"to\">2025-01-20</td>");
    }

    @Test
    void footer_givesTheTimes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Presidents.write(
                ALL.subList(0, 1),
                () -> new PageTemplate.Timings(11, 1_234_567, 9_876_543_210L),
                Channels.newChannel(bytes));
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .contains("Time till byte 1 = 11 ns.")
                .contains("Time till row 1  = 1234567 ns.")
                .contains("Time till close  = 9876543210 ns.");
    }

    @Test
    void failureOfTheDatabase_leavesAsItIs_andNoEndIsWritten() {
        for (PageTemplate template : List.of(Presidents.JTE, Presidents.STRING_TEMPLATE)) {
            ListCursor cursor = new ListCursor(ALL);
            cursor.failingRow = 7;
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            assertThatThrownBy(() ->
                            PageTemplate.write(template, () -> cursor, Channels.newChannel(bytes)))
                    .isInstanceOf(QueryException.class)
                    .hasMessage("the database fell over");
            assertThat(bytes.toString(StandardCharsets.UTF_8)).doesNotContain("</table>");
            assertThat(cursor.closed).isTrue();
        }
    }

    @Test
    void failureOfTheChannel_leavesAsItIs_inBothEnginesAndTheWholePage() {
        for (PageTemplate template : List.of(Presidents.JTE, Presidents.STRING_TEMPLATE)) {
            ListCursor cursor = new ListCursor(ALL);
            assertThatThrownBy(() ->
                            PageTemplate.write(template, () -> cursor, new FullChannel(100_000)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the client has gone");
            assertThat(cursor.closed).isTrue();
            assertThat(cursor.row).isLessThan(15);
        }
        assertThatThrownBy(() ->
                        Presidents.write(
                                ALL,
                                () -> new PageTemplate.Timings(1, 2, 3),
                                new FullChannel(100_000)))
                .isInstanceOf(IOException.class)
                .hasMessage("the client has gone");
    }

    @Test
    void president_serialised_comesBack() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new ArrayList<>(ALL));
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            @SuppressWarnings("unchecked")
            List<President> back = (List<President>) in.readObject();
            assertSame(whole(back), whole(ALL));
        }
    }

    /** Shows where two pages part, and not 500 KB of both. */
    private static void assertSame(String page, String expected) {
        int at = Arrays.mismatch(page.toCharArray(), expected.toCharArray());
        if (at >= 0) {
            assertThat(page.substring(at, Math.min(page.length(), at + 80)))
                    .as("at %d", at)
                    .isEqualTo(expected.substring(at, Math.min(expected.length(), at + 80)));
        }
        assertThat(at).isEqualTo(-1);
    }

    private static President hostile() {
        return new President(
                "<script>alert(1)</script> $row.name$ ${x}",
                LocalDate.of(1, 2, 3),
                null,
                new byte[] {-1, -2, -3, -4, -5, -6},
                "Ünïcode 🦅 & </td><b> \"quoted\" 'twice' \r\n end");
    }

    private static String page(PageTemplate template, List<President> presidents)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PageTemplate.write(template, () -> new ListCursor(presidents), Channels.newChannel(bytes));
        return withoutTimes(bytes);
    }

    private static String whole(Iterable<President> presidents) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Presidents.write(
                presidents, () -> new PageTemplate.Timings(1, 2, 3), Channels.newChannel(bytes));
        return withoutTimes(bytes);
    }

    private static String withoutTimes(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).replaceAll("= [0-9]+ ns", "= … ns");
    }

    /** Takes so many bytes and then fails. */
    private static final class FullChannel implements WritableByteChannel {
        private int room;

        private FullChannel(int room) {
            this.room = room;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            int count = source.remaining();
            room -= count;
            if (room < 0) {
                throw new IOException("the client has gone");
            }
            source.position(source.limit());
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
