package dev.penstock.documents.buffer;

/**
 * The sizes in bytes from which on conversions treat something as large.
 *
 * @param direct values of one key of an element that are written before the element has ended
 * @param whole a document in JSON that is not read as a whole
 * @param indexed an object that is not read as a whole
 */
public record Sizes(int direct, int whole, int indexed) {
    public static final Sizes DEFAULTS = new Sizes(65_536, 262_144, 65_536);
}
