package dev.penstock.transfer.upload;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.form.Multipart;
import dev.penstock.http.form.Part;
import dev.penstock.http.text.Json;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.store.NewUpload;
import dev.penstock.transfer.store.UploadState;
import dev.penstock.transfer.store.UploadStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Uploads by forms of {@code multipart/form-data}: each file in one becomes an upload that is complete. Fields that are
 * no files are passed over. A file that is refused ends the form; those before it stay. Thread-safe.
 */
final class FormUploads {
    private final UploadStore store;
    private final UploadSettings settings;

    FormUploads(UploadStore store, UploadSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    void take(Exchange exchange) throws IOException {
        List<UploadState> taken = new ArrayList<>();
        try {
            Multipart.of(exchange).forEach(part -> take(exchange, part, taken));
        } catch (TransferException e) {
            throw Refusals.of(e).with("uploads", locations(exchange, taken));
        } catch (HttpException e) {
            throw e.with("uploads", locations(exchange, taken));
        }
        if (taken.isEmpty()) {
            throw new HttpException(
                    400, "The form has no file; choose one in a field of the type file");
        }
        answer(exchange, taken);
    }

    private void take(Exchange exchange, Part part, List<UploadState> taken) throws IOException {
        String name = part.fileName().orElse("");
        if (name.isEmpty()) {
            return;
        }
        NewUpload upload =
                new NewUpload(
                        settings.owner().apply(exchange),
                        OptionalLong.empty(),
                        Optional.of(name),
                        part.contentType()
                                .map(type -> type.name())
                                .filter(type -> !type.equals("application/octet-stream")),
                        Map.of(),
                        false);
        taken.add(PlainUploads.store(store, upload, part.content(), Optional.empty()));
    }

    /** Answers a browser that has no script by the page that the form is on, and others by what was made. */
    private void answer(Exchange exchange, List<UploadState> taken) {
        String first = settings.location(exchange, taken.getFirst().id());
        if (exchange.headers("Accept").stream().anyMatch(types -> types.contains("text/html"))) {
            exchange.redirect(303, first.substring(0, first.lastIndexOf('/')));
            return;
        }
        if (taken.size() == 1) {
            exchange.header("Location", first);
        }
        List<Map<String, @Nullable Object>> members =
                taken.stream()
                        .map(state ->
                                UploadJson.members(state, settings.location(exchange, state.id())))
                        .toList();
        exchange.respond(
                201, UploadJson.MEDIA_TYPE, Json.object(Map.of("uploads", members)) + "\n");
    }

    private List<String> locations(Exchange exchange, List<UploadState> taken) {
        return taken.stream().map(state -> settings.location(exchange, state.id())).toList();
    }
}
