package dev.penstock.bench.documents;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** An XML document of about a given size, made while it is read; the same each time. */
final class GeneratedXml extends InputStream {
    private static final String[] WORDS = {
        "cursor",
        "stream",
        "turbine",
        "penstock",
        "Änderung",
        "R&amp;D",
        "a &lt; b",
        "water",
        "日本",
        "pressure"
    };

    /** The order of the records of a document. */
    enum Shape implements Serializable {
        /** Records of one name, one after the other, as exports have them. */
        RECORDS,
        /** Records of two names in turns, neither of whose arrays can be finished before the end. */
        INTERLEAVED
    }

    private final Shape shape;
    private final long size;
    private final SplittableRandom random = new SplittableRandom(7);
    private byte[] chunk = "<?xml version=\"1.0\"?><people>".getBytes(StandardCharsets.UTF_8);
    private int next;
    private long made;
    private int record;
    private boolean last;

    GeneratedXml(Shape shape, long size) {
        this.shape = shape;
        this.size = size;
    }

    /** Returns a whole document. */
    static byte[] bytes(Shape shape, int size) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(size + 1_000);
        GeneratedXml xml = new GeneratedXml(shape, size);
        byte[] buffer = new byte[8_192];
        for (int read = xml.read(buffer, 0, buffer.length);
                read >= 0;
                read = xml.read(buffer, 0, buffer.length)) {
            bytes.write(buffer, 0, read);
        }
        return bytes.toByteArray();
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (next == chunk.length && !fill()) {
            return -1;
        }
        int count = Math.min(length, chunk.length - next);
        System.arraycopy(chunk, next, target, offset, count);
        next += count;
        made += count;
        return count;
    }

    private boolean fill() {
        if (last) {
            return false;
        }
        last = made >= size;
        chunk = (last ? "</people>" : record()).getBytes(StandardCharsets.UTF_8);
        next = 0;
        return true;
    }

    private String record() {
        String name = shape == Shape.INTERLEAVED && record % 2 == 1 ? "guest" : "person";
        record++;
        return """
        <%s id="%d" since="20%02d-0%d-1%d"><name>%s %s</name><address><street>%s %d</street><city>%s</city></address>\
        <hobby>%s</hobby><hobby level="%d">%s</hobby><note/></%s>\
        """
                .formatted(
                        name,
                        record,
                        random.nextInt(30),
                        random.nextInt(1, 10),
                        random.nextInt(10),
                        word(),
                        word(),
                        word(),
                        random.nextInt(200),
                        word(),
                        word(),
                        random.nextInt(10),
                        word(),
                        name);
    }

    private String word() {
        return WORDS[random.nextInt(WORDS.length)];
    }
}
