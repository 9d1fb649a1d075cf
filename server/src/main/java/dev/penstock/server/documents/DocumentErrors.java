package dev.penstock.server.documents;

import dev.penstock.documents.DocumentException;
import dev.penstock.http.HttpException;

/** The statuses of what goes wrong with documents. */
final class DocumentErrors {
    private DocumentErrors() {}

    static HttpException of(DocumentException failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof HttpException known) {
                return known;
            }
        }
        String detail = String.valueOf(failure.getMessage());
        return switch (failure.kind()) {
            case XML, JSON, XPATH -> new HttpException(400, detail);
            case LIMIT -> new HttpException(413, detail);
            case CONFLICT -> new HttpException(409, detail);
            case STORE, INPUT_OUTPUT ->
                    new HttpException(500, "The documents' database failed", failure);
        };
    }
}
