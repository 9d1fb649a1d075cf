package dev.penstock.server.documents;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.collection.DocumentCollection;
import dev.penstock.documents.collection.Explanation;
import dev.penstock.documents.collection.FoundNode;
import dev.penstock.documents.collection.XmlDocument;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Routes;
import dev.penstock.http.text.JsonText;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The resources of collections: documents by their ids, searches, and loading in bulk. Thread-safe. */
final class DocumentResource {
    private static final int BUFFER_BYTES = 16 << 10;

    private final Map<String, DocumentCollection> collections;

    DocumentResource(Map<String, DocumentCollection> collections) {
        this.collections = Map.copyOf(collections);
    }

    void mount(Routes.Group group) {
        group.mapError(DocumentException.class, DocumentErrors::of)
                .get("", this::list)
                .get("/{collection}", this::search)
                .post("/{collection}", this::insert)
                .get("/{collection}/{id}", this::get)
                .put("/{collection}/{id}", this::put)
                .delete("/{collection}/{id}", this::delete);
    }

    private DocumentCollection collection(Exchange exchange) {
        String name = exchange.pathParameter("collection");
        DocumentCollection collection = collections.get(name);
        if (collection == null) {
            throw new HttpException(
                    404,
                    "There is no collection \""
                            + name
                            + "\" here; --documents names those that are served");
        }
        return collection;
    }

    private void list(Exchange exchange) {
        JsonText json = new JsonText().object().array("collections");
        collections.keySet().stream().sorted().forEach(json::element);
        exchange.respond(200, ResultWriter.JSON, json.endArray().endObject() + "\n");
    }

    private void search(Exchange exchange) throws IOException {
        DocumentCollection collection = collection(exchange);
        DocumentQuery query = DocumentQuery.of(exchange);
        String xpath = query.xpath();
        if (query.explain() && xpath != null) {
            explain(exchange, collection.explain(xpath, query.namespaces(), query.variables()));
            return;
        }
        String type = exchange.negotiate(ResultWriter.XML, ResultWriter.JSON, ResultWriter.NDJSON);
        exchange.addHeader("Vary", "Accept");
        if (query.documents() || xpath == null) {
            send(exchange, type, documents(collection, query), ResultWriter::document);
        } else {
            Stream<FoundNode> nodes =
                    collection.select(xpath, query.namespaces(), query.variables());
            send(exchange, type, nodes, ResultWriter::node);
        }
    }

    private static Stream<XmlDocument> documents(
            DocumentCollection collection, DocumentQuery query) {
        String xpath = query.xpath();
        if (xpath != null) {
            return collection.find(xpath, query.namespaces(), query.variables());
        }
        String path = query.path();
        return path == null ? collection.all() : collection.findByPath(path);
    }

    /** The writing of one result. */
    private interface Writing<T> {
        void write(ResultWriter writer, T result) throws IOException;
    }

    /** Sends results as they are found. The first is looked for before the head, so that it may still be an error. */
    private static <T> void send(
            Exchange exchange, String type, Stream<T> results, Writing<T> writing)
            throws IOException {
        try (results) {
            Iterator<T> each = results.iterator();
            boolean any = each.hasNext();
            try (ResponseBody body = exchange.body(type);
                    OutputStream out =
                            new BufferedOutputStream(
                                    Channels.newOutputStream(body), BUFFER_BYTES)) {
                var writer = new ResultWriter(out, type);
                writer.begin();
                if (any) {
                    writing.write(writer, each.next());
                }
                while (each.hasNext()) {
                    writing.write(writer, each.next());
                }
                writer.end();
            }
        }
    }

    private static void explain(Exchange exchange, Explanation explanation) {
        JsonText json =
                new JsonText()
                        .object()
                        .member("store", explanation.store())
                        .member("exact", explanation.exact())
                        .member("condition", explanation.condition())
                        .member("afterwards", explanation.afterwards())
                        .array("indexes");
        explanation.indexes().forEach(json::element);
        json.endArray().array("unused");
        explanation.unused().forEach(json::element);
        exchange.respond(200, ResultWriter.JSON, json.endArray().endObject() + "\n");
    }

    private void insert(Exchange exchange) throws IOException {
        DocumentCollection collection = collection(exchange);
        Optional<String> record = exchange.parameter("record");
        try (InputStream body = exchange.readStream(Long.MAX_VALUE)) {
            if (record.isPresent()) {
                long count = collection.load(body, record.get(), _ -> {});
                exchange.respond(
                        200,
                        ResultWriter.JSON,
                        new JsonText().object().member("documents", count).endObject() + "\n");
                return;
            }
            String id = collection.insert(body);
            exchange.header("Location", location(exchange, id))
                    .respond(
                            201,
                            ResultWriter.JSON,
                            new JsonText().object().member("id", id).endObject() + "\n");
        }
    }

    private void get(Exchange exchange) throws IOException {
        XmlDocument document = find(exchange).orElseThrow(() -> missing(exchange));
        String type = exchange.negotiate(ResultWriter.XML, ResultWriter.JSON);
        exchange.addHeader("Vary", "Accept");
        boolean xml = type.equals(ResultWriter.XML);
        if (exchange.notModified(tag(document.version(), xml), null)) {
            return;
        }
        try (ResponseBody body = exchange.body(type);
                OutputStream out =
                        new BufferedOutputStream(Channels.newOutputStream(body), BUFFER_BYTES)) {
            if (xml) {
                document.writeXml(out);
            } else {
                document.writeJson(out);
            }
        }
    }

    private static String id(Exchange exchange) {
        String id = exchange.pathParameter("id");
        try {
            DocumentCollection.requireId(id);
        } catch (IllegalArgumentException e) {
            throw new HttpException(400, String.valueOf(e.getMessage()), e);
        }
        return id;
    }

    private Optional<XmlDocument> find(Exchange exchange) {
        return collection(exchange).get(id(exchange));
    }

    private Optional<Long> version(Exchange exchange) {
        return collection(exchange).version(id(exchange));
    }

    private static HttpException missing(Exchange exchange) {
        return new HttpException(404, "There is no document \"" + id(exchange) + "\" here");
    }

    /** The entity tag of a version: its two forms are different entities. */
    private static String tag(long version, boolean xml) {
        return "\"" + version + (xml ? "\"" : "-json\"");
    }

    /** The address of a document, whose id may have characters that mean something there. */
    private static String location(Exchange exchange, String id) {
        return "%s/%s/%s"
                .formatted(
                        DocumentService.PATH,
                        exchange.pathParameter("collection"),
                        URLEncoder.encode(id, StandardCharsets.UTF_8));
    }

    private void put(Exchange exchange) throws IOException {
        DocumentCollection collection = collection(exchange);
        String id = id(exchange);
        boolean conditional = isConditional(exchange);
        Long found = (conditional ? check(exchange) : version(exchange)).orElse(null);
        try (InputStream body = exchange.readStream(Long.MAX_VALUE)) {
            long version =
                    conditional
                            ? collection.put(
                                    id, body, found == null ? DocumentCollection.ABSENT : found)
                            : collection.put(id, body);
            exchange.header("ETag", tag(version, true));
            if (found == null) {
                exchange.header("Location", location(exchange, id)).status(201);
            } else {
                exchange.status(204);
            }
        } catch (DocumentException e) {
            throw conditional ? precondition(e) : e;
        }
    }

    private void delete(Exchange exchange) {
        DocumentCollection collection = collection(exchange);
        String id = id(exchange);
        if (!isConditional(exchange)) {
            if (!collection.delete(id)) {
                throw missing(exchange);
            }
            exchange.status(204);
            return;
        }
        long found = check(exchange).orElseThrow(() -> missing(exchange));
        try {
            collection.delete(id, found);
            exchange.status(204);
        } catch (DocumentException e) {
            throw precondition(e);
        }
    }

    private static boolean isConditional(Exchange exchange) {
        return exchange.header("If-Match").isPresent()
                || exchange.header("If-None-Match").isPresent();
    }

    /** Checks the request's conditions; gives the version that there is. */
    private Optional<Long> check(Exchange exchange) {
        Optional<Long> version = version(exchange);
        @Nullable String tag = version.map(found -> askedTag(exchange, found)).orElse(null);
        exchange.notModified(tag, null);
        return version;
    }

    private static String askedTag(Exchange exchange, long version) {
        String json = tag(version, false);
        boolean asked =
                Stream.of("If-Match", "If-None-Match")
                        .flatMap(name -> exchange.headers(name).stream())
                        .anyMatch(value -> value.contains(json));
        return asked ? json : tag(version, true);
    }

    private static RuntimeException precondition(DocumentException failure) {
        return failure.kind() == Kind.CONFLICT
                ? new HttpException(412, String.valueOf(failure.getMessage()), failure)
                : failure;
    }
}
