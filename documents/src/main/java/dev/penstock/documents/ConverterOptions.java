package dev.penstock.documents;

import java.util.Objects;
import java.util.Set;

/**
 * The options of a conversion.
 *
 * @param profile the way in which XML is written as JSON
 * @param typedValues whether numbers and booleans are written as such where every store gives back the same spelling
 * @param forcedArrays the paths of keys that hold an array even if there is one value: the keys from the root element
 *     on, with a dot between them, such as {@code person.hobbies.hobby}
 * @param keepsCdata whether CDATA sections are kept as such; otherwise they become text
 * @param skipsDoctype whether a document type declaration is skipped; otherwise it is refused. Nothing in it is read,
 *     so references to its entities are errors
 * @param limits the bounds of a conversion
 */
public record ConverterOptions(
        Profile profile,
        boolean typedValues,
        Set<String> forcedArrays,
        boolean keepsCdata,
        boolean skipsDoctype,
        DocumentLimits limits) {
    public ConverterOptions {
        Objects.requireNonNull(profile);
        forcedArrays = Set.copyOf(forcedArrays);
        Objects.requireNonNull(limits);
    }

    /** Returns the exact profile: strings only, no forced arrays, CDATA as text, no DTD, the limits' defaults. */
    public static ConverterOptions exact() {
        return new ConverterOptions(
                Profile.EXACT, false, Set.of(), false, false, DocumentLimits.defaults());
    }

    /** Returns the plain profile: strings only, no forced arrays, CDATA as text, no DTD, the limits' defaults. */
    public static ConverterOptions plain() {
        return exact().withProfile(Profile.PLAIN);
    }

    public ConverterOptions withProfile(Profile value) {
        return new ConverterOptions(
                value, typedValues, forcedArrays, keepsCdata, skipsDoctype, limits);
    }

    public ConverterOptions withTypedValues(boolean value) {
        return new ConverterOptions(profile, value, forcedArrays, keepsCdata, skipsDoctype, limits);
    }

    public ConverterOptions withForcedArrays(Set<String> value) {
        return new ConverterOptions(profile, typedValues, value, keepsCdata, skipsDoctype, limits);
    }

    public ConverterOptions withCdata(boolean value) {
        return new ConverterOptions(
                profile, typedValues, forcedArrays, value, skipsDoctype, limits);
    }

    public ConverterOptions withSkippedDoctype(boolean value) {
        return new ConverterOptions(profile, typedValues, forcedArrays, keepsCdata, value, limits);
    }

    public ConverterOptions withLimits(DocumentLimits value) {
        return new ConverterOptions(
                profile, typedValues, forcedArrays, keepsCdata, skipsDoctype, value);
    }
}
