package dev.penstock.documents.format;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.io.IOException;
import java.io.PushbackReader;
import java.io.Reader;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;

/**
 * The beginning of a document: the byte order mark, which the parser does not know in very short documents, and the
 * declaration, where it takes every control character for white space and cuts off a long name of an encoding.
 */
final class XmlHead {
    private static final int CHARACTERS = 512;
    private static final char MARK = '\ufeff';

    /** The least length of a long document's head, from which a byte order mark of three bytes may be cut off. */
    private static final int LONG = CHARACTERS - 3;

    /** The characters of an encoding's name at which the parser cuts it off; registered ones have 45 at most. */
    private static final int ENCODING_CHARACTERS = 60;

    private XmlHead() {}

    /** Returns a reader of a document behind its byte order mark, once its declaration has been looked at. */
    static Reader of(Reader xml) throws XMLStreamException {
        PushbackReader reader = new PushbackReader(xml, CHARACTERS);
        try {
            char[] head = new char[CHARACTERS];
            int length = 0;
            for (int count = 0; count >= 0 && length < CHARACTERS; length += Math.max(0, count)) {
                count = reader.read(head, length, CHARACTERS - length);
            }
            // A second mark is an error, which the parser finds behind the first.
            boolean isMarked = length > 0 && head[0] == MARK && (length == 1 || head[1] != MARK);
            int from = isMarked ? 1 : 0;
            requireWhiteSpace(new String(head, from, length - from));
            reader.unread(head, from, length - from);
        } catch (IOException e) {
            throw new XMLStreamException(e);
        }
        return reader;
    }

    /** Refuses a declaration in which control characters stand as white space, and one that is not all in the head. */
    static void requireWhiteSpace(String head) {
        if (!head.startsWith("<?xml")) {
            return;
        }
        int line = 1;
        int column = 1;
        int end = head.indexOf('>');
        for (int i = 0; i < (end < 0 ? head.length() : end); i++) {
            char c = head.charAt(i);
            if (c < ' ' && !Space.isSpace(c)) {
                throw problem(
                        "line %d, column %d".formatted(line, column),
                        "the character U+%04X is no white space".formatted((int) c));
            }
            boolean isFirstOfTwo = c == '\r' && i + 1 < head.length() && head.charAt(i + 1) == '\n';
            boolean isBreak = c == '\n' || (c == '\r' && !isFirstOfTwo);
            line += isBreak ? 1 : 0;
            column = isBreak ? 1 : column + 1;
        }
        boolean isDeclaration = head.length() >= LONG && Space.isSpace(head.charAt(5));
        if (isDeclaration && end < 0) {
            throw new DocumentException(
                    Kind.LIMIT,
                    "Can't read the XML document: the declaration at line 1, column 1 is longer than"
                            + " 512 characters; use less white space in it");
        }
    }

    /** Refuses a version and an encoding that can't be, which the parser has read. */
    static void requireDeclaration(XMLStreamReader2 reader) {
        if ("1.1".equals(reader.getVersion())) {
            throw new DocumentException(
                    Kind.XML,
                    "Can't read the XML document: its declaration says version 1.1 at line 1, column"
                            + " 1; only 1.0 is supported");
        }
        String encoding = reader.getCharacterEncodingScheme();
        if (encoding != null && encoding.length() >= ENCODING_CHARACTERS) {
            throw problem(
                    "line 1, column 1",
                    "the declaration says the encoding \"%s…\", which is none".formatted(encoding));
        }
    }

    private static DocumentException problem(String place, String message) {
        return new DocumentException(
                Kind.XML, "Can't read the XML document at %s: %s".formatted(place, message));
    }
}
