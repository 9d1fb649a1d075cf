package dev.penstock.http.form;

import dev.penstock.http.HttpException;

/** The bytes that the parts of a form may still have, each and together. */
final class ContentLimit {
    private final MultipartLimits limits;
    private long part;
    private long total;

    ContentLimit(MultipartLimits limits) {
        this.limits = limits;
    }

    /** The next part begins. */
    void beginPart() {
        part = 0;
    }

    /**
     * Counts content.
     *
     * @throws HttpException (413) if that is too much
     */
    void add(String name, int bytes) {
        part += bytes;
        total += bytes;
        if (part > limits.partBytes()) {
            throw new HttpException(
                    413,
                    "The part %s has more than %d bytes, which is the limit of a part"
                            .formatted(name, limits.partBytes()));
        }
        if (total > limits.totalBytes()) {
            throw new HttpException(
                    413,
                    "The parts of the form have more than %d bytes together"
                            .formatted(limits.totalBytes()));
        }
    }
}
