package dev.penstock.bench.documents;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** People as XML documents of some 200 bytes, of each number the same; also as one document of many, to be loaded. */
final class People {
    /** The path of a person in a document of many. */
    static final String RECORD = "/people/person";

    private static final String[] WORDS = {
        "cursor", "stream", "turbine", "Änderung", "water", "日本", "pressure", "gate", "river", "dam"
    };

    private People() {}

    static String person(long number) {
        return """
        <person id="%d" since="20%02d-0%d-1%d"><name>%s %d</name><address><street>%s %d</street><city>%s</city>\
        </address><hobby>%s</hobby><hobby level="%d">R&amp;D of a %s</hobby><note/></person>\
        """
                .formatted(
                        number,
                        number % 30,
                        1 + number % 9,
                        number / 7 % 10,
                        word(number),
                        number,
                        word(number / 3),
                        number,
                        city(number),
                        word(number / 11),
                        number % 10,
                        word(number / 13));
    }

    /** Returns the city of a person, which one in ten has. */
    static String city(long number) {
        return word(number / 5);
    }

    /** Returns the street of a person, which nobody else has. */
    static String street(long number) {
        return word(number / 3) + " " + number;
    }

    private static String word(long number) {
        return WORDS[(int) (number % WORDS.length)];
    }

    /** A document of so many people, from a number on, made while it is read. */
    static InputStream document(long from, long count) {
        return new Document(from, count);
    }

    private static final class Document extends InputStream {
        private final long end;
        private long number;
        private byte[] chunk = bytes("<people>");
        private int next;

        private Document(long from, long count) {
            number = from;
            end = from + count;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (next == chunk.length) {
                if (number > end) {
                    return -1;
                }
                chunk = bytes(number == end ? "</people>" : person(number));
                number++;
                next = 0;
            }
            int count = Math.min(length, chunk.length - next);
            System.arraycopy(chunk, next, target, offset, count);
            next += count;
            return count;
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
