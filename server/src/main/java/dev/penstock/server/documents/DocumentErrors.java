package dev.penstock.server.documents;

import dev.penstock.documents.DocumentException;
import dev.penstock.http.HttpException;
import dev.penstock.server.database.CircuitBreaker;
import java.sql.SQLException;
import java.time.Duration;

/** The statuses of what goes wrong with documents. */
final class DocumentErrors {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private DocumentErrors() {}

    static HttpException of(DocumentException failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof HttpException known) {
                return known;
            }
            if (isUnreachable(cause)) {
                return HttpException.unavailable(
                        "The database that holds the documents can't be reached; try again later",
                        RETRY_AFTER);
            }
        }
        String detail = String.valueOf(failure.getMessage());
        return switch (failure.kind()) {
            case XML, JSON, XPATH -> new HttpException(400, detail);
            case LIMIT -> new HttpException(413, detail);
            case BUSY -> HttpException.unavailable(detail, RETRY_AFTER);
            case CONFLICT -> new HttpException(409, detail);
            case STORE, INPUT_OUTPUT ->
                    new HttpException(500, "The documents' database failed", failure);
        };
    }

    private static boolean isUnreachable(Throwable cause) {
        return MongoFailure.isUnreachable(cause)
                || (cause instanceof SQLException sql && CircuitBreaker.isUnreachable(sql));
    }
}
