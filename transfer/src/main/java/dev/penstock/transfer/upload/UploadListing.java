package dev.penstock.transfer.upload;

import dev.penstock.http.Exchange;
import dev.penstock.http.text.Json;
import dev.penstock.transfer.store.UploadState;
import dev.penstock.transfer.store.UploadStore;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;

/** The list of an owner's uploads, newest first: {@code {"uploads": [{"id": …}]}}. Thread-safe. */
final class UploadListing {
    private final UploadStore store;
    private final UploadSettings settings;

    UploadListing(UploadStore store, UploadSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    void send(Exchange exchange) throws IOException {
        exchange.header("Cache-Control", "no-store");
        Writer out =
                new OutputStreamWriter(
                        Channels.newOutputStream(exchange.body(UploadJson.MEDIA_TYPE)),
                        StandardCharsets.UTF_8);
        out.write("{\"uploads\":[");
        String separator = "\n";
        for (UploadState state : store.list(settings.owner().apply(exchange))) {
            String location = settings.location(exchange, state.id());
            out.write(separator + Json.object(UploadJson.members(state, location)));
            separator = ",\n";
        }
        out.write("]}\n");
        out.flush();
    }
}
