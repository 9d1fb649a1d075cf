package dev.penstock.documents.collection;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.convert.Converter;
import dev.penstock.documents.json.JsonToNodes;
import dev.penstock.documents.store.DocumentBuffer;
import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.DocumentIds;
import dev.penstock.documents.store.DocumentStore;
import dev.penstock.documents.store.PathSummary;
import dev.penstock.documents.store.StoreExplanation;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoredDocument;
import dev.penstock.documents.xpath.NodeTree;
import dev.penstock.documents.xpath.NodeTreeBuilder;
import dev.penstock.documents.xpath.SearchMemory;
import dev.penstock.documents.xpath.XPathQuery;
import dev.penstock.documents.xpath.XPathResult;
import dev.penstock.documents.xpath.translate.Translation;
import dev.penstock.documents.xpath.translate.XPathTranslator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A collection of XML documents in a database that holds them as JSON. What was stored comes back canonically equal.
 *
 * <p>Every write but {@link #load} is one transaction; a document that the database can't hold as one value is held in
 * pieces, and is found all the same. Streams of results read the database as they are consumed, and hold a connection
 * until they are closed. Thread-safe, also among processes with the same database.
 */
public final class DocumentCollection {
    /** The expected version of a document that must not exist yet. */
    public static final long ABSENT = DocumentStore.ABSENT;

    private final DocumentStore store;
    private final CollectionPaths paths = new CollectionPaths();
    private final JsonToNodes reader = new JsonToNodes(ConverterOptions.exact());

    DocumentCollection(DocumentStore store) {
        this.store = store;
    }

    /**
     * Stores a document under a new id, which is greater than those before it.
     *
     * @param xml the document, in the encoding that it declares; it stays open
     * @return its id
     * @throws DocumentException {@code XML} with line and column if it is not well-formed; nothing is written then
     */
    public String insert(InputStream xml) {
        String id = NewIds.next();
        write(id, xml, ABSENT);
        return id;
    }

    /** Stores a document under a new id. */
    public String insert(String xml) {
        String id = NewIds.next();
        put(id, xml, ABSENT);
        return id;
    }

    /**
     * Stores a document, whether or not there is one of this id.
     *
     * @param id 1 to 200 printable characters of ASCII without spaces
     * @return its new version
     */
    public long put(String id, InputStream xml) {
        return write(id, xml, DocumentStore.ANY);
    }

    /** Stores a document, whether or not there is one of this id. */
    public long put(String id, String xml) {
        return writeText(id, xml, DocumentStore.ANY);
    }

    /**
     * Stores a document if it is in the version that is expected.
     *
     * @param expected the version it has now, or {@link #ABSENT}
     * @return its new version
     * @throws DocumentException {@code CONFLICT} if it is in another version
     */
    public long put(String id, InputStream xml, long expected) {
        return write(id, xml, checked(expected));
    }

    /** Stores a document if it is in the version that is expected. */
    public long put(String id, String xml, long expected) {
        return writeText(id, xml, checked(expected));
    }

    private static long checked(long expected) {
        if (expected < 0) {
            throw new IllegalArgumentException(expected + " is no version; versions are positive");
        }
        return expected;
    }

    private long write(String id, InputStream xml, long expected) {
        return write(id, expected, json -> Converter.exact().toJson(xml, json));
    }

    private long writeText(String id, String xml, long expected) {
        return write(
                id,
                expected,
                json -> {
                    try {
                        json.write(Converter.exact().toJson(xml).getBytes(StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        throw failed(e);
                    }
                });
    }

    private long write(String id, long expected, Consumer<DocumentBuffer> converter) {
        requireId(id);
        try (var json = new DocumentBuffer()) {
            converter.accept(json);
            List<String> missing = paths.missing(summary(json));
            long version = store.put(id, json, expected, missing);
            paths.written(missing);
            return version;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private PathSummary summary(DocumentBuffer json) throws IOException {
        PathSummary summary = new PathSummary();
        try (InputStream in = json.open()) {
            reader.read(in, summary.recorder());
        }
        return summary;
    }

    private static DocumentException failed(IOException e) {
        return new DocumentException(
                Kind.INPUT_OUTPUT, "a document can't be read or held: " + e.getMessage(), e);
    }

    /**
     * Stores every element at a path of a large document as a document of its own, with the namespaces that are in
     * scope there. Small ones are written some hundred in one transaction; after a failure, those before stay.
     *
     * @param record the names from the root on as they are written, such as {@code /people/person}
     * @param stored gets the id of each document once it is stored
     * @return how many documents were stored
     */
    public long load(InputStream xml, String record, Consumer<String> stored) {
        var batch = new LoadBatch(store, paths, stored);
        var records = new RecordReader(record, one -> load(one, batch, stored));
        try {
            long count = records.read(xml);
            batch.flush();
            return count;
        } catch (RuntimeException e) {
            try {
                batch.flush();
            } catch (RuntimeException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private void load(String xml, LoadBatch batch, Consumer<String> stored) {
        if (xml.length() > LoadBatch.MOST_CHARACTERS) {
            batch.flush();
            stored.accept(insert(xml));
            return;
        }
        DocumentBuffer json = DocumentBuffer.of(Converter.exact().toJson(xml));
        try {
            batch.add(NewIds.next(), json, summary(json));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Refuses what can't be the id of a document, as every method with an id does.
     *
     * @throws IllegalArgumentException if it is not 1 to 200 printable characters of ASCII without spaces
     */
    public static void requireId(String id) {
        DocumentIds.check(id);
    }

    /** Reads a document. */
    public Optional<XmlDocument> get(String id) {
        requireId(id);
        StoredDocument found = store.get(id);
        return Optional.ofNullable(found).map(XmlDocument::new);
    }

    /** Returns the version of a document, without reading it. */
    public Optional<Long> version(String id) {
        requireId(id);
        return Optional.ofNullable(store.version(id));
    }

    /** Deletes a document in whatever version it is. Returns whether it was there. */
    public boolean delete(String id) {
        requireId(id);
        return store.delete(id, DocumentStore.ANY);
    }

    /**
     * Deletes a document if it is in the version that is expected.
     *
     * @throws DocumentException {@code CONFLICT} if it is in another version, or not there
     */
    public void delete(String id, long expected) {
        requireId(id);
        store.delete(id, checked(expected));
    }

    /** Returns all documents, in the order of their ids. The stream is to be closed. */
    public Stream<XmlDocument> all() {
        return CursorStream.of(store.find(new StoreFilter.Everything())).map(XmlDocument::new);
    }

    /** Finds the documents on which an expression without prefixes is true. The stream is to be closed. */
    public Stream<XmlDocument> find(String xpath) {
        return find(xpath, Map.of(), Map.of());
    }

    /**
     * Finds the documents on which an expression of XPath 1.0 is true, in the order of their ids. The stream is to be
     * closed.
     *
     * @param namespaces the URIs of the prefixes in the expression
     * @param variables the values of its variables: strings, numbers and booleans
     * @throws DocumentException {@code XPATH} with the position if the expression is wrong
     */
    public Stream<XmlDocument> find(
            String xpath, Map<String, String> namespaces, Map<String, Object> variables) {
        XPathQuery query = XPathQuery.compile(xpath, namespaces, variables);
        var asked = new AtomicReference<Translation>();
        DocumentCursor cursor =
                store.find(entries -> {
                    Translation translation = translation(query, entries.get());
                    asked.set(translation);
                    return translation.filter();
                });
        Stream<XmlDocument> found = CursorStream.of(cursor).map(XmlDocument::new);
        return isExact(asked.get()) ? found : found.filter(document -> matches(query, document));
    }

    private boolean matches(XPathQuery query, XmlDocument document) {
        try (NodeTree tree = tree(document)) {
            return query.matches(tree);
        }
    }

    private Translation translation(XPathQuery query, Set<String> entries) {
        return XPathTranslator.translate(query, paths.with(entries));
    }

    /** Without a snapshot, documents are found whose paths the translation did not know. */
    private boolean isExact(Translation translation) {
        return translation.exact() && store.findsInSnapshot();
    }

    /** Finds the nodes that an expression without prefixes selects. The stream is to be closed. */
    public Stream<FoundNode> select(String xpath) {
        return select(xpath, Map.of(), Map.of());
    }

    /**
     * Finds the nodes that an expression selects: document by document in the order of their ids, in document order in
     * each. An expression that is no node-set gives its value on each document. The stream is to be closed.
     */
    public Stream<FoundNode> select(
            String xpath, Map<String, String> namespaces, Map<String, Object> variables) {
        XPathQuery query = XPathQuery.compile(xpath, namespaces, variables);
        DocumentCursor cursor =
                query.selectsNodes()
                        ? store.find(entries -> translation(query, entries.get()).filter())
                        : store.find(new StoreFilter.Everything());
        return NodeStream.of(
                CursorStream.of(cursor).map(XmlDocument::new), document -> nodes(query, document));
    }

    /** Evaluates an expression on a document, whose nodes are held until the stream is closed. */
    private Stream<FoundNode> nodes(XPathQuery query, XmlDocument document) {
        NodeTree tree = tree(document);
        try {
            XPathResult result = query.evaluate(tree);
            Stream<FoundNode> found =
                    result instanceof XPathResult.Nodes(var nodes)
                            ? nodes.stream()
                                    .map(node ->
                                            node.written(one -> FoundNode.of(document.id(), one)))
                            : Stream.of(FoundNode.of(document.id(), result));
            return found.onClose(tree::close);
        } catch (RuntimeException | Error e) {
            tree.close();
            throw e;
        }
    }

    private NodeTree tree(XmlDocument document) {
        SearchMemory memory = SearchMemory.open();
        var builder = new NodeTreeBuilder(memory);
        try (InputStream json = document.json()) {
            reader.read(json, builder);
            return builder.build();
        } catch (IOException e) {
            memory.close();
            throw failed(e);
        } catch (RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    /**
     * Finds documents by the store's own path, whose keys count from the root element: {@code person.hobbies.hobby =
     * tv}, or a path alone for documents that have it. The stream is to be closed.
     */
    public Stream<XmlDocument> findByPath(String search) {
        return CursorStream.of(store.find(StorePath.parse(search).filter())).map(XmlDocument::new);
    }

    /**
     * Declares an index on the texts at a path, and fills it; writers wait meanwhile. Does nothing if it is there.
     *
     * @param path keys from the root element on, such as {@code person.hobbies.hobby} or {@code order.@number}
     */
    public void index(String path) {
        store.index(StorePath.keys(path));
    }

    /** Explains {@link #find(String)}. */
    public Explanation explain(String xpath) {
        return explain(xpath, Map.of(), Map.of());
    }

    /** Explains what of {@link #find(String, Map, Map)} the database does, and what is left for afterwards. */
    public Explanation explain(
            String xpath, Map<String, String> namespaces, Map<String, Object> variables) {
        XPathQuery query = XPathQuery.compile(xpath, namespaces, variables);
        Translation asked = translation(query, store.entries());
        StoreExplanation found = store.explain(asked.filter());
        return new Explanation(
                found.store(),
                isExact(asked) && found.exact(),
                found.condition(),
                afterwards(asked, found),
                paths(found.indexes()),
                paths(found.unused()));
    }

    private static List<String> paths(List<List<String>> keys) {
        return keys.stream().map(path -> String.join(".", path)).toList();
    }

    private String afterwards(Translation asked, StoreExplanation found) {
        if (!asked.exact()) {
            return "the whole expression, because " + asked.explanation();
        }
        if (!store.findsInSnapshot()) {
            return "the whole expression, because "
                    + found.store()
                    + " may find documents with paths that were written meanwhile";
        }
        return found.exact() ? "" : "conditions that " + found.store() + " does not decide";
    }
}
