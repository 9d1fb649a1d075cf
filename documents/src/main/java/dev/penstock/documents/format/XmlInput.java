package dev.penstock.documents.format;

import com.ctc.wstx.api.ReaderConfig;
import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.exc.WstxLazyException;
import com.ctc.wstx.io.InputBootstrapper;
import com.ctc.wstx.io.ReaderBootstrapper;
import com.ctc.wstx.io.StreamBootstrapper;
import com.ctc.wstx.io.SystemId;
import com.ctc.wstx.stax.WstxInputFactory;
import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.buffer.CountedInput;
import dev.penstock.documents.buffer.ForbiddenText;
import dev.penstock.documents.buffer.Problems;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.codehaus.stax2.XMLStreamReader2;
import org.jspecify.annotations.Nullable;

/** A maker of safe readers of XML: no DTD, no entities but the predefined ones, and limits. Thread-safe. */
final class XmlInput {
    private static final Pattern LIMIT =
            Pattern.compile("(?i)^(Maximum .*|.* limit \\(.*\\)) exceeded");
    private static final String TASK = "read the XML document";

    private final WstxInputFactory factory = new WstxInputFactory();
    private final ConverterOptions options;

    XmlInput(ConverterOptions options) {
        this.options = options;
        DocumentLimits limits = options.limits();
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        factory.setProperty(XMLInputFactory.IS_COALESCING, !options.keepsCdata());
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, true);
        factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_DEPTH, limits.depth());
        factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTES_PER_ELEMENT, limits.attributes());
        factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTE_SIZE, limits.textLength());
        factory.setProperty(WstxInputProperties.P_MAX_TEXT_LENGTH, (long) limits.textLength());
        factory.setProperty(WstxInputProperties.P_MAX_CHARACTERS, Long.MAX_VALUE);
        // A CDATA section is one event: the parser might end a part within a pair of surrogates.
        factory.setProperty(WstxInputProperties.P_MIN_TEXT_SEGMENT, Integer.MAX_VALUE);
    }

    ConverterOptions options() {
        return options;
    }

    /** The use of a reader, from its beginning to its end. */
    interface Reading {
        /**
         * Reads the document.
         *
         * @param counted the bytes that it comes from; null where it comes from characters
         */
        void read(XMLStreamReader2 reader, @Nullable CountedInput counted)
                throws XMLStreamException;
    }

    /** The making of a reader. */
    private interface Opening {
        XMLStreamReader open() throws XMLStreamException;
    }

    /** Reads a document in the encoding that its byte order mark or declaration says. The stream stays open. */
    void read(InputStream xml, Reading reading) {
        CountedInput counted = new CountedInput(xml, options.limits());
        read(() -> decoded(counted), counted, reading);
    }

    private XMLStreamReader decoded(CountedInput counted) throws XMLStreamException {
        try {
            StrictDecoding decoding = StrictDecoding.of(counted);
            XmlHead.requireWhiteSpace(decoding.head());
            Reader characters = decoding.characters();
            XMLStreamReader reader =
                    characters == null
                            ? open(StreamBootstrapper.getInstance(null, null, decoding.bytes()))
                            : open(XmlHead.of(characters));
            String problem = decoding.problem(reader.getCharacterEncodingScheme());
            if (problem != null) {
                throw new XMLStreamException(problem);
            }
            return reader;
        } catch (IOException e) {
            throw new XMLStreamException(e);
        }
    }

    /** Reads a document of characters, whatever its declaration says. The reader stays open. */
    void read(Reader xml, Reading reading) {
        read(() -> open(XmlHead.of(xml)), null, reading);
    }

    private XMLStreamReader open(Reader characters) throws XMLStreamException {
        return open(ReaderBootstrapper.getInstance(null, null, characters, null));
    }

    /**
     * Opens a parser that takes the names of XML 1.1, which are those of the fifth edition of XML 1.0; otherwise it
     * would know those of the fourth. It also takes references to control characters and declarations that undo a
     * prefix, which are refused here.
     */
    private XMLStreamReader open(InputBootstrapper source) throws XMLStreamException {
        ReaderConfig config = factory.createPrivateConfig();
        config.enableXml11(true);
        return factory.createSR(config, (SystemId) null, source, false, false);
    }

    private void read(Opening opening, @Nullable CountedInput counted, Reading reading) {
        XMLStreamReader2 reader = null;
        try {
            reader = (XMLStreamReader2) opening.open();
            XmlHead.requireDeclaration(reader);
            reading.read(reader, counted);
        } catch (XMLStreamException e) {
            throw problem(e, reader);
        } catch (WstxLazyException e) {
            throw problem(e, reader);
        } catch (ForbiddenText e) {
            Location location = reader == null ? null : reader.getLocation();
            throw new DocumentException(
                    Kind.XML,
                    "Can't read the XML document at %s: %s"
                            .formatted(place(location), e.getMessage()),
                    e);
        }
    }

    void refuseDoctype(XMLStreamReader2 reader) {
        if (!options.skipsDoctype()) {
            throw new DocumentException(
                    Kind.LIMIT,
                    "Can't read the XML document: the limit skipsDoctype of false allows no document"
                            + " type declaration, and there is one at "
                            + place(reader.getLocation())
                            + "; remove it, or let it be skipped");
        }
    }

    void requireTextLength(int length) {
        int limit = options.limits().textLength();
        if (length > limit) {
            throw Problems.limit(TASK, "textLength", limit, "raise it or use shorter texts");
        }
    }

    /**
     * Counts attributes and declarations together, which the parser counts each for themselves, and refuses
     * declarations that undo a prefix.
     */
    void requireAttributes(XMLStreamReader2 reader) {
        for (int i = 0; i < reader.getNamespaceCount(); i++) {
            String prefix = reader.getNamespacePrefix(i);
            String uri = reader.getNamespaceURI(i);
            if (prefix != null && !prefix.isEmpty() && (uri == null || uri.isEmpty())) {
                throw new ForbiddenText("the prefix %s can't be undeclared".formatted(prefix));
            }
        }
        int limit = options.limits().attributes();
        if (reader.getAttributeCount() + reader.getNamespaceCount() > limit) {
            throw Problems.limit(TASK, "attributes", limit, "raise it or use fewer attributes");
        }
    }

    static String place(@Nullable Location location) {
        if (location == null) {
            return "line 1, column 1";
        }
        return "line %d, column %d"
                .formatted(
                        Math.max(1, location.getLineNumber()),
                        Math.max(1, location.getColumnNumber()));
    }

    /** Returns the error to throw for one that the parser found while a text was being taken from it. */
    private DocumentException problem(WstxLazyException cause, @Nullable XMLStreamReader2 reader) {
        return cause.getCause() instanceof XMLStreamException inner
                ? problem(inner, reader)
                : problem(new XMLStreamException(cause.getMessage(), cause), reader);
    }

    /** Returns the error to throw for one of the parser. */
    private DocumentException problem(XMLStreamException cause, @Nullable XMLStreamReader2 reader) {
        Throwable inner = cause.getCause() == null ? cause.getNestedException() : cause.getCause();
        if (inner instanceof IOException io
                && !(inner instanceof CharConversionException
                        || inner instanceof CharacterCodingException
                        || inner instanceof UnsupportedEncodingException)) {
            return Problems.reading(io);
        }
        String message =
                inner instanceof CharacterCodingException
                        ? "there are bytes that are none of the document's encoding"
                        : String.valueOf(cause.getMessage());
        if (LIMIT.matcher(message).find()) {
            return limit(message);
        }
        Location location = cause.getLocation();
        if (location == null && reader != null) {
            location = reader.getLocation();
        }
        int end = message.indexOf("\n at [row");
        return new DocumentException(
                Kind.XML,
                "Can't read the XML document at %s: %s"
                        .formatted(place(location), end < 0 ? message : message.substring(0, end)),
                cause);
    }

    private DocumentException limit(String message) {
        DocumentLimits limits = options.limits();
        String words = message.toLowerCase(Locale.ROOT);
        if (words.contains("depth")) {
            return Problems.limit(TASK, "depth", limits.depth(), "raise it or nest less deeply");
        }
        if (words.contains("number of attributes") || words.contains("attribute limit")) {
            return Problems.limit(
                    TASK, "attributes", limits.attributes(), "raise it or use fewer attributes");
        }
        return Problems.limit(
                TASK, "textLength", limits.textLength(), "raise it or use shorter texts");
    }

    /** The target of an instruction; the parser takes every pair of surrogates in it. */
    static String target(XMLStreamReader2 reader) {
        String target = reader.getPITarget();
        if (!Names.isLocal(target, 0, target.length())) {
            throw new ForbiddenText("\"%s\" is no name of XML".formatted(target));
        }
        return target;
    }

    static boolean isText(int event) {
        return event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.SPACE;
    }
}
