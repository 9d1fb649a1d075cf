package dev.penstock.documents.format;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.io.IOException;

/** The errors of conversions. */
final class Problems {
    private Problems() {}

    static DocumentException limit(String task, String name, long value, String remedy) {
        return new DocumentException(
                Kind.LIMIT,
                "Can't %s: more than the limit %s of %,d allows; %s"
                        .formatted(task, name, value, remedy));
    }

    static DocumentException reading(IOException cause) {
        return new DocumentException(
                Kind.INPUT_OUTPUT, "Can't read the document: " + cause.getMessage(), cause);
    }

    static DocumentException writing(IOException cause) {
        return new DocumentException(
                Kind.INPUT_OUTPUT, "Can't write the document: " + cause.getMessage(), cause);
    }

    static DocumentException temporary(IOException cause) {
        return new DocumentException(
                Kind.INPUT_OUTPUT,
                "Can't use the temporary file of a conversion: %s; java.io.tmpdir must have room"
                        .formatted(cause.getMessage()),
                cause);
    }
}
