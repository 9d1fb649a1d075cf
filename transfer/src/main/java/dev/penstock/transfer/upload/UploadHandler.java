package dev.penstock.transfer.upload;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.MediaType;
import dev.penstock.http.server.Routes;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.UploadMetadata;
import dev.penstock.transfer.draft.DraftProtocol;
import dev.penstock.transfer.draft.DraftSettings;
import dev.penstock.transfer.store.UploadStore;
import dev.penstock.transfer.tus.TusProtocol;
import dev.penstock.transfer.tus.TusSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The answer to every request for uploads: finds who is to give it, by the method and the headers. Thread-safe. */
final class UploadHandler {
    private static final String BASE_ALLOW = "GET, HEAD, OPTIONS, POST";
    private static final String UPLOAD_ALLOW = "DELETE, GET, HEAD, OPTIONS, PATCH, PUT";

    private static final String ACCEPT_PATCH =
            "application/offset+octet-stream, application/partial-upload";

    /** Methods that others may send without being asked, from pages of other sites too. */
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    /**
     * What admits requests that are done at once, so that whoever asks how far an upload is need not wait until others
     * have ended.
     */
    private final Admission questions = new Admission(64, 1_000, Duration.ofSeconds(30));

    private final UploadStore store;
    private final UploadSettings settings;
    private final TusProtocol tus;
    private final DraftProtocol draft;
    private final PlainUploads plain;
    private final FormUploads forms;
    private final UploadListing listing;
    private final UploadDownload download;

    UploadHandler(UploadStore store, UploadSettings settings) {
        this.store = store;
        this.settings = settings;
        tus =
                new TusProtocol(
                        store,
                        new TusSettings(settings.maxBytes(), settings.owner(), settings::location));
        draft =
                new DraftProtocol(
                        store,
                        new DraftSettings(
                                settings.maxBytes() == Long.MAX_VALUE
                                        ? OptionalLong.empty()
                                        : OptionalLong.of(settings.maxBytes()),
                                settings::location,
                                settings.clock(),
                                System::nanoTime,
                                settings.interim()));
        plain = new PlainUploads(store, settings);
        forms = new FormUploads(store, settings);
        listing = new UploadListing(store, settings);
        download = new UploadDownload(store, settings);
    }

    void mount(Routes.Group group) {
        Handler base = exchange -> answer(exchange, this::base);
        Handler upload = exchange -> answer(exchange, this::upload);
        String path = "/{" + UploadSettings.PARAMETER + "}";
        for (String each : List.of("", "/")) {
            for (String method : List.of("GET", "HEAD")) {
                group.route(method, each, base, _ -> questions);
            }
            group.route("POST", each, base);
            group.route("OPTIONS", each, options(BASE_ALLOW), _ -> questions);
        }
        group.route(List.of("GET", "POST", "PUT", "PATCH"), List.of(path), upload);
        for (String method : List.of("HEAD", "DELETE")) {
            group.route(method, path, upload, _ -> questions);
        }
        group.route("OPTIONS", path, options(UPLOAD_ALLOW), _ -> questions);
    }

    private Handler options(String allow) {
        return Handler.nonBlocking(exchange -> describe(exchange, allow));
    }

    /** An answer by a method. */
    @FunctionalInterface
    private interface Answer {
        void give(Exchange exchange, String method) throws IOException;
    }

    private static void answer(Exchange exchange, Answer answer) throws IOException {
        try {
            answer.give(exchange, method(exchange));
        } catch (TransferException e) {
            throw Refusals.of(e);
        }
    }

    /** The method that is meant: clients whose environment has no PATCH or DELETE send POST, and say which it is. */
    private static String method(Exchange exchange) {
        String sent = exchange.method();
        String meant = exchange.header("X-HTTP-Method-Override").map(String::strip).orElse(sent);
        if (!meant.equals(sent) && SAFE.contains(sent)) {
            throw new HttpException(
                    400, "X-HTTP-Method-Override goes with POST, and not with " + sent);
        }
        return meant;
    }

    private void base(Exchange exchange, String method) throws IOException {
        switch (method) {
            case "OPTIONS" -> describe(exchange, BASE_ALLOW);
            case "GET", "HEAD" -> listing.send(exchange);
            case "POST" -> create(exchange);
            default -> throw notAllowed(BASE_ALLOW);
        }
    }

    private void create(Exchange exchange) throws IOException {
        if (TusProtocol.isSpoken(exchange)) {
            tus.create(exchange);
        } else if (DraftProtocol.isSpokenBy(exchange)) {
            // Clients that speak both protocols send the metadata of tus in either.
            String metadata = exchange.header(UploadMetadata.HEADER).orElse("");
            draft.create(exchange, owner(exchange), UploadMetadata.parse(metadata).fileName());
        } else if (isForm(exchange)) {
            forms.take(exchange);
        } else {
            plain.post(exchange);
        }
    }

    private String owner(Exchange exchange) {
        return settings.owner().apply(exchange);
    }

    private static boolean isForm(Exchange exchange) {
        return isOfType(exchange, "multipart/form-data");
    }

    private static boolean isOfType(Exchange exchange, String type) {
        return exchange.contentType().map(MediaType::name).filter(type::equals).isPresent();
    }

    private void upload(Exchange exchange, String method) throws IOException {
        String name = exchange.pathParameter(UploadSettings.PARAMETER);
        switch (method) {
            case "OPTIONS" -> describe(exchange, UPLOAD_ALLOW);
            case "GET" -> download.send(exchange, name);
            case "HEAD" -> head(exchange, name);
            case "PATCH" -> patch(exchange, name);
            case "DELETE" -> delete(exchange, name);
            case "PUT" -> put(exchange, name);
            default -> throw notAllowed(UPLOAD_ALLOW);
        }
    }

    /** Without a word of a protocol, it asks about the file where there is one, and how far the upload is else. */
    private void head(Exchange exchange, String id) throws IOException {
        if (TusProtocol.isSpoken(exchange)) {
            tus.head(exchange, id);
        } else if (DraftProtocol.isSpokenBy(exchange)
                || !store.state(id, owner(exchange)).isComplete()) {
            draft.state(exchange, owner(exchange), id);
        } else {
            download.send(exchange, id);
        }
    }

    private void patch(Exchange exchange, String id) throws IOException {
        if (TusProtocol.isSpoken(exchange)) {
            tus.patch(exchange, id);
        } else if (DraftProtocol.isSpokenBy(exchange)
                || isOfType(exchange, DraftProtocol.PARTIAL_UPLOAD)) {
            draft.append(exchange, owner(exchange), id);
        } else {
            throw new HttpException(
                            415,
                            "A PATCH appends to an upload: by tus 1.0.0 with the media type"
                                    + " application/offset+octet-stream, by the IETF draft with"
                                    + " application/partial-upload")
                    .header("Accept-Patch", ACCEPT_PATCH);
        }
    }

    private void put(Exchange exchange, String name) throws IOException {
        if (DraftProtocol.isSpokenBy(exchange)) {
            draft.create(exchange, owner(exchange), Optional.of(name));
        } else {
            plain.put(exchange, name);
        }
    }

    private void delete(Exchange exchange, String id) throws IOException {
        if (TusProtocol.isSpoken(exchange)) {
            tus.delete(exchange, id);
        } else if (DraftProtocol.isSpokenBy(exchange)) {
            draft.cancel(exchange, owner(exchange), id);
        } else {
            store.delete(id, owner(exchange));
            exchange.status(204);
        }
    }

    private void describe(Exchange exchange, String allow) {
        tus.describe(exchange);
        draft.announce(exchange);
        exchange.status(204).header("Allow", allow).header("Accept-Patch", ACCEPT_PATCH);
    }

    private static HttpException notAllowed(String allow) {
        return new HttpException(405, "This path answers " + allow).header("Allow", allow);
    }
}
