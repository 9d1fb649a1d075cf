package dev.penstock.documents.buffer;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.io.IOException;

/** The errors of conversions. */
public final class Problems {
    private Problems() {}

    public static DocumentException limit(String task, String name, long value, String remedy) {
        return new DocumentException(
                Kind.LIMIT,
                "Can't %s: more than the limit %s of %,d allows; %s"
                        .formatted(task, name, value, remedy));
    }

    public static DocumentException reading(IOException cause) {
        return new DocumentException(
                Kind.INPUT_OUTPUT, "Can't read the document: " + cause.getMessage(), cause);
    }

    public static DocumentException writing(IOException cause) {
        return new DocumentException(
                Kind.INPUT_OUTPUT, "Can't write the document: " + cause.getMessage(), cause);
    }

    public static DocumentException temporary(IOException cause) {
        return new DocumentException(
                Kind.INPUT_OUTPUT,
                "Can't use the temporary file of a conversion: %s; java.io.tmpdir must have room"
                        .formatted(cause.getMessage()),
                cause);
    }
}
