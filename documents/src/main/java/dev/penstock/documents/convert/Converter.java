package dev.penstock.documents.convert;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.format.XmlToJson;
import dev.penstock.documents.json.JsonToNodes;
import dev.penstock.documents.json.NodesToXml;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A converter of XML documents to JSON and back, as the page {@code xml-json.md} of the documentation defines it.
 * Memory is bounded by {@link dev.penstock.documents.DocumentLimits#memoryBytes()} and the longest texts: what can't be
 * finished in time goes through a temporary file, which is deleted at the end. Thread-safe. Streams are not closed.
 *
 * <p>All methods throw {@link dev.penstock.documents.DocumentException}: of kind {@code XML} with line and column for
 * XML that is not well-formed, {@code JSON} with the path for JSON that is no document of the format, {@code LIMIT}
 * with the limit's name, and {@code INPUT_OUTPUT}.
 */
public final class Converter {
    private static final Converter PLAIN = new Converter(ConverterOptions.plain());
    private static final Converter EXACT = new Converter(ConverterOptions.exact());

    private final XmlToJson toJson;
    private final JsonToNodes toNodes;

    private Converter(ConverterOptions options) {
        toJson = new XmlToJson(options);
        toNodes = new JsonToNodes(options);
    }

    public static Converter of(ConverterOptions options) {
        return new Converter(options);
    }

    /** Returns the converter that loses nothing, with the defaults of {@link ConverterOptions#exact()}. */
    public static Converter exact() {
        return EXACT;
    }

    /** Returns the friendly converter, with the defaults of {@link ConverterOptions#plain()}. */
    public static Converter plain() {
        return PLAIN;
    }

    /** Converts XML to JSON in the plain profile. */
    public static String x2j(String xml) {
        return PLAIN.toJson(xml);
    }

    /** Converts the JSON of one element to XML. The order of keys is the order of elements. */
    public static String j2x(String json) {
        return PLAIN.toXml(json);
    }

    /** Converts one element of a JSON object that may hold more, such as the identifier that a store adds. */
    public static String j2x(String json, String element) {
        return PLAIN.toXml(json, element);
    }

    /** Converts XML in the encoding that its byte order mark or declaration says to JSON in UTF-8. */
    public void toJson(InputStream xml, OutputStream json) {
        toJson.convert(xml, json);
    }

    /** Converts XML to JSON. An encoding that the XML declares is recorded and otherwise ignored. */
    public String toJson(String xml) {
        ByteArrayOutputStream json = new ByteArrayOutputStream(xml.length() + 100);
        toJson.convert(new StringReader(xml), json);
        return json.toString(StandardCharsets.UTF_8);
    }

    /**
     * Converts JSON in UTF-8 to XML in the encoding that it declares, if that is UTF-8, UTF-16, ISO-8859-1 or US-ASCII,
     * otherwise in UTF-8. Where that encoding lacks a character of a name, a comment or a processing instruction, the
     * document is in UTF-8 and declares that.
     */
    public void toXml(InputStream json, OutputStream xml) {
        NodesToXml nodes = new NodesToXml(xml);
        toNodes.read(json, nodes);
        nodes.finish();
    }

    /** Converts the JSON of one document to XML. No encoding applies to a string, so none but UTF-8 is declared. */
    public String toXml(String json) {
        return xml(json, null);
    }

    /** Converts one element of a JSON object that may hold more to XML. */
    public String toXml(String json, String element) {
        return xml(json, element);
    }

    private String xml(String json, @Nullable String element) {
        StringWriter xml = new StringWriter(json.length() + 100);
        NodesToXml nodes = new NodesToXml(xml);
        toNodes.read(json, element, nodes);
        nodes.finish();
        return xml.toString();
    }
}
