package dev.penstock.documents.collection;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.convert.Converter;
import dev.penstock.documents.json.JsonToNodes;
import dev.penstock.documents.json.NodesToXml;
import dev.penstock.documents.store.StoredDocument;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** An XML document of a collection, as it was when it was read. Thread-safe. */
public final class XmlDocument {
    private static final JsonToNodes READER = new JsonToNodes(ConverterOptions.exact());

    private final StoredDocument stored;

    XmlDocument(StoredDocument stored) {
        this.stored = stored;
    }

    /** The document's id, unique in its collection. */
    public String id() {
        return stored.id();
    }

    /** The document's version: every write gives a greater one, also after the document was deleted. */
    public long version() {
        return stored.version();
    }

    InputStream json() {
        return stored.json();
    }

    /**
     * Writes the document as XML, canonically equal to what was stored. The stream stays open.
     *
     * @throws DocumentException {@code INPUT_OUTPUT} if it can't be written, or a large document was replaced meanwhile
     */
    public void writeXml(OutputStream out) {
        try (InputStream json = stored.json()) {
            Converter.exact().toXml(json, out);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Writes the document as XML in UTF-8 without an XML declaration, as it can stand within another document. */
    public void writeXmlFragment(OutputStream out) {
        try (InputStream json = stored.json()) {
            NodesToXml nodes = NodesToXml.fragment(out);
            READER.read(json, nodes);
            nodes.finish();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Writes the document as JSON in UTF-8, in the exact profile. The stream stays open. */
    public void writeJson(OutputStream out) {
        try (InputStream json = stored.json()) {
            json.transferTo(out);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private DocumentException failed(IOException e) {
        return new DocumentException(
                DocumentException.Kind.INPUT_OUTPUT,
                "the document " + id() + " can't be written: " + e.getMessage(),
                e);
    }

    /** Returns the document as XML without regard to the encoding that it declares. */
    public String xml() {
        return Converter.exact().toXml(text());
    }

    private String text() {
        try (InputStream json = stored.json()) {
            return new String(json.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public String toString() {
        return "document " + id() + " in version " + version();
    }
}
