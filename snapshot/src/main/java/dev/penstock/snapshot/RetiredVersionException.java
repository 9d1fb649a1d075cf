package dev.penstock.snapshot;

/** A refusal of a version that nobody uses any more, as another has taken its place: that one is to be asked. */
final class RetiredVersionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RetiredVersionException() {
        super("the version has ended", null, false, false);
    }
}
