package dev.penstock.documents.json;

import dev.penstock.documents.buffer.Problems;
import dev.penstock.documents.format.NodeHandler;
import dev.penstock.documents.format.XmlHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A writer of XML from the nodes of a document. Not thread-safe: one document. The stream stays open. */
public final class NodesToXml implements XmlHandler {
    private final @Nullable OutputStream stream;
    private @Nullable Writer writer;
    private final char[] buffer = new char[8_192];
    private int length;
    private char most = Character.MAX_VALUE;
    private final ArrayDeque<String> open = new ArrayDeque<>();
    private boolean isTagOpen;
    private boolean hasBegun;
    private boolean isDeclared;
    private @Nullable String declared;
    private @Nullable String standalone;
    private @Nullable MarkupCheck markup;
    private boolean isFragment;

    /**
     * Writes bytes, in the encoding that the document declares or in UTF-8. References stand for characters of texts
     * and values that the encoding lacks; if it lacks one elsewhere, all is in UTF-8.
     */
    public NodesToXml(OutputStream stream) {
        this.stream = stream;
    }

    /** Writes characters. A declaration says UTF-8 or nothing of an encoding. */
    public NodesToXml(Writer writer) {
        this.writer = writer;
        this.stream = null;
    }

    /** Writes bytes in UTF-8 without a declaration, as they can stand within another document. */
    public static NodesToXml fragment(OutputStream stream) {
        NodesToXml nodes = new NodesToXml(stream);
        nodes.isFragment = true;
        return nodes;
    }

    @Override
    public void declaration(
            String version, @Nullable String encoding, @Nullable String standalone) {
        if (isFragment) {
            return;
        }
        isDeclared = true;
        declared = encoding;
        this.standalone = standalone;
        String name = encoding == null ? "" : encoding.toUpperCase(Locale.ROOT);
        if (stream != null) {
            most =
                    switch (name) {
                        case "ISO-8859-1" -> '\u00ff';
                        case "US-ASCII" -> '\u007f';
                        default -> Character.MAX_VALUE;
                    };
        }
    }

    /** Names, comments and instructions can't have references: whether the encoding has them decides about it. */
    @Override
    public @Nullable NodeHandler preview() {
        markup = most == Character.MAX_VALUE ? null : new MarkupCheck(most);
        return markup;
    }

    private void begin() {
        isDeclared = false;
        String written = declared == null ? null : encoding(declared);
        put("<?xml version=\"1.0\"");
        if (written != null) {
            put(" encoding=\"" + written + '"');
        }
        if (standalone != null) {
            put(" standalone=\"" + standalone + '"');
        }
        put("?>");
        hasBegun = true;
    }

    /** Takes an encoding that can be written; otherwise it is UTF-8. */
    private @Nullable String encoding(String encoding) {
        String name = encoding.toUpperCase(Locale.ROOT);
        OutputStream target = stream;
        if (target == null) {
            return name.equals("UTF-8") ? encoding : null;
        }
        boolean lacks = markup != null && !markup.fits();
        Charset charset =
                switch (lacks ? "UTF-8" : name) {
                    case "UTF-16" -> StandardCharsets.UTF_16;
                    case "ISO-8859-1" -> StandardCharsets.ISO_8859_1;
                    case "US-ASCII" -> StandardCharsets.US_ASCII;
                    default -> StandardCharsets.UTF_8;
                };
        most = lacks ? Character.MAX_VALUE : most;
        writer = new OutputStreamWriter(target, charset);
        return charset.equals(StandardCharsets.UTF_8) ? "UTF-8" : encoding;
    }

    @Override
    public void startElement(String name) {
        closeTag();
        breakLine();
        put('<');
        put(name);
        open.push(name);
        isTagOpen = true;
    }

    @Override
    public void attribute(String name, String value) {
        put(' ');
        put(name);
        put("=\"");
        int i = 0;
        while (i < value.length()) {
            int end = plainUntil(value, i);
            put(value, i, end);
            i = end;
            if (i < value.length()) {
                char c = value.charAt(i);
                switch (c) {
                    case '"' -> put("&quot;");
                    case '\t' -> put("&#9;");
                    case '\n' -> put("&#10;");
                    default -> i += character(c, value, i);
                }
                i++;
            }
        }
        put('"');
    }

    /** Returns where the next character is that may not stand as it is in every text and attribute, or the end. */
    private int plainUntil(String text, int from) {
        int i = from;
        while (i < text.length()) {
            char c = text.charAt(i);
            boolean isPlain =
                    c > '>' ? c <= most : c != '>' && c != '<' && c != '&' && c != '"' && c >= ' ';
            if (!isPlain) {
                return i;
            }
            i++;
        }
        return i;
    }

    @Override
    public void text(String text) {
        closeTag();
        int i = 0;
        while (i < text.length()) {
            int end = plainUntil(text, i);
            put(text, i, end);
            i = end;
            if (i < text.length()) {
                i += 1 + character(text.charAt(i), text, i);
            }
        }
    }

    /** Writes a character of a text or attribute; returns 1 if it took the next one with it. */
    private int character(char c, String text, int index) {
        switch (c) {
            case '&' -> put("&amp;");
            case '<' -> put("&lt;");
            case '>' -> put("&gt;");
            case '\r' -> put("&#13;");
            default -> {
                if (c <= most) {
                    put(c);
                } else {
                    int point = text.codePointAt(index);
                    put("&#" + point + ";");
                    return Character.charCount(point) - 1;
                }
            }
        }
        return 0;
    }

    @Override
    public void cdata(String text) {
        closeTag();
        if (text.indexOf('\r') >= 0 || !MarkupCheck.fits(text, most)) {
            text(text);
            return;
        }
        put("<![CDATA[");
        put(text.replace("]]>", "]]]]><![CDATA[>"));
        put("]]>");
    }

    @Override
    public void comment(String text) {
        closeTag();
        breakLine();
        put("<!--");
        put(text);
        put("-->");
    }

    @Override
    public void processingInstruction(String target, String data) {
        closeTag();
        breakLine();
        put("<?");
        put(target);
        if (!data.isEmpty()) {
            put(' ');
            put(data);
        }
        put("?>");
    }

    @Override
    public void endElement() {
        String name = open.pop();
        if (isTagOpen) {
            isTagOpen = false;
            put("/>");
        } else {
            put("</");
            put(name);
            put('>');
        }
    }

    /** Writes what is left to the stream. */
    public void finish() {
        drain();
        try {
            target().flush();
        } catch (IOException e) {
            throw Problems.writing(e);
        }
    }

    private void closeTag() {
        if (isTagOpen) {
            isTagOpen = false;
            put('>');
        }
    }

    /** Begins a line beside the root element, where white space means nothing. */
    private void breakLine() {
        if (isDeclared) {
            begin();
        }
        if (open.isEmpty() && hasBegun) {
            put('\n');
        }
        hasBegun = true;
    }

    private void put(String text) {
        put(text, 0, text.length());
    }

    private void put(String text, int from, int to) {
        int done = from;
        while (done < to) {
            if (length == buffer.length) {
                drain();
            }
            int step = Math.min(to - done, buffer.length - length);
            text.getChars(done, done + step, buffer, length);
            length += step;
            done += step;
        }
    }

    private void put(char c) {
        if (length == buffer.length) {
            drain();
        }
        buffer[length++] = c;
    }

    private Writer target() {
        Writer target = writer;
        if (target == null) {
            if (stream == null) {
                throw new IllegalStateException("There is nothing to write to");
            }
            target = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
            writer = target;
        }
        return target;
    }

    private void drain() {
        try {
            target().write(buffer, 0, length);
        } catch (IOException e) {
            throw Problems.writing(e);
        }
        length = 0;
    }
}
