package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.http.Answer;
import dev.penstock.transfer.client.http.Backoff;
import dev.penstock.transfer.client.resume.UploadRecords;
import dev.penstock.transfer.client.upload.TusDialect;
import dev.penstock.transfer.client.upload.UploadDialect;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** One call of {@code put}: finds the protocol, and what an earlier call has left. */
final class UploadCall {
    private final Transfer transfer;
    private final Source source;

    UploadCall(Transfer transfer, Source source) {
        this.transfer = transfer;
        this.source = source;
    }

    Receipt run() throws IOException, InterruptedException {
        try (Content content = source.open()) {
            transfer.emit(new TransferEvent.Started(transfer.uri(), content.length()));
            Optional<String> key =
                    transfer.options().keepsState()
                            ? content.identity().map(transfer::key)
                            : Optional.empty();
            Optional<UploadRecords.Entry> record = key.flatMap(transfer.records()::open);
            if (record.isEmpty()) {
                return send(content, record);
            }
            try (UploadRecords.Entry opened = record.get()) {
                return send(content, Optional.of(opened));
            }
        }
    }

    private Receipt send(Content content, Optional<UploadRecords.Entry> record)
            throws IOException, InterruptedException {
        UploadDialect.Described described =
                new UploadDialect.Described(
                        content.length(),
                        transfer.options().fileName().or(source::name),
                        transfer.options().mediaType());
        List<String> lines = record.isPresent() ? record.get().read() : List.of();
        Optional<UploadDialect> known =
                lines.size() == 2
                        ? UploadDialect.read(lines.getFirst()).filter(this::isChosen)
                        : Optional.empty();
        if (known.isPresent()) {
            ResumableUpload upload =
                    new ResumableUpload(transfer, known.get(), content, described, record);
            upload.resume(URI.create(lines.getLast()));
            return upload.run();
        }
        Answer options = options();
        Optional<UploadDialect> dialect = dialect(options, content.length());
        return dialect.isPresent()
                ? new ResumableUpload(transfer, dialect.get(), content, described, record).run()
                : plain(content, options);
    }

    private boolean isChosen(UploadDialect dialect) {
        return transfer.options()
                .protocol()
                .map(chosen -> chosen == protocol(dialect))
                .orElse(true);
    }

    static UploadProtocol protocol(UploadDialect dialect) {
        return dialect instanceof TusDialect ? UploadProtocol.TUS : UploadProtocol.DRAFT;
    }

    private Optional<UploadDialect> dialect(Answer options, OptionalLong length) {
        Optional<UploadDialect> found =
                UploadDialect.announced(options).stream()
                        .filter(this::isChosen)
                        .filter(d -> length.isPresent() || d.takesUnknownLength())
                        .findFirst();
        Optional<UploadProtocol> chosen = transfer.options().protocol();
        if (found.isEmpty() && chosen.isPresent() && chosen.get() != UploadProtocol.PLAIN) {
            throw new TransferException(
                    Kind.INVALID,
                    "%s does not announce the protocol %s%s; choose another, or none"
                            .formatted(
                                    transfer.uri(),
                                    chosen.get(),
                                    length.isPresent() ? "" : " for an unknown length"));
        }
        return found;
    }

    /** Asks the server what it has; asking is harmless, so that it is repeated. */
    private Answer options() throws InterruptedException {
        Backoff backoff = transfer.backoff();
        while (true) {
            try {
                Answer answer =
                        transfer.calls()
                                .send(
                                        transfer.calls().request(transfer.uri(), transfer.uri()),
                                        "OPTIONS");
                if (answer.status() == 401 || answer.status() == 403) {
                    throw transfer.refusal(answer, "Asking for the protocols of");
                }
                if (answer.status() == 501 || !answer.isPassing()) {
                    return answer;
                }
                transfer.pause(backoff, answer);
            } catch (IOException e) {
                transfer.pause(backoff, e);
            }
        }
    }

    private Receipt plain(Content content, Answer options)
            throws IOException, InterruptedException {
        List<String> allowed =
                options.header("allow")
                        .map(allow -> List.of(allow.toUpperCase(Locale.ROOT).split("\\s*,\\s*")))
                        .orElse(List.of());
        boolean isPost = allowed.contains("POST") && !allowed.contains("PUT");
        URI target = isPost ? transfer.uri() : named();
        return new PlainUpload(transfer, content, target, isPost ? "POST" : "PUT").run();
    }

    /** The URI of the request; one that ends with a slash gets the name behind it. */
    private URI named() {
        URI uri = transfer.uri();
        Optional<String> name = transfer.options().fileName().or(source::name);
        if (!uri.getRawPath().endsWith("/") || name.isEmpty()) {
            return uri;
        }
        return uri.resolve(
                "./" + URLEncoder.encode(name.get(), StandardCharsets.UTF_8).replace("+", "%20"));
    }
}
