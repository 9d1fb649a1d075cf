package dev.penstock.transfer.draft;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/** The interop versions of the draft, each with what its text says otherwise than the others. */
public enum DraftVersion {
    /** The text -01, which says {@code Upload-Incomplete} where later ones say {@code Upload-Complete}. */
    V3(3),
    /** The text -02. */
    V4(4),
    /** The text -03, the first in which progress is told. */
    V5(5),
    /** The texts -04 and -05, the first with limits, and with a media type for what is appended. */
    V6(6),
    /** The texts -06 to -08, in which {@code max-age} is the name of the limit that was {@code expires}. */
    V7(7),
    /** The texts from -09 on. */
    V8(8);

    /** The newest; what a request means whose version is not known. */
    public static final DraftVersion NEWEST = V8;

    private final int number;

    DraftVersion(int number) {
        this.number = number;
    }

    /** The value of {@code Upload-Draft-Interop-Version}. */
    public int number() {
        return number;
    }

    /** The version of a number; nothing where it is not known. */
    static Optional<DraftVersion> of(long number) {
        return Arrays.stream(values()).filter(each -> each.number == number).findFirst();
    }

    /** The header that says whether an upload is complete, or in version 3 that it is not. */
    String completeHeader() {
        return this == V3 ? "Upload-Incomplete" : "Upload-Complete";
    }

    /** The value of that header. */
    String complete(boolean isComplete) {
        return isComplete == (this != V3) ? "?1" : "?0";
    }

    /** Returns whether a request to append that does not say whether it is the last one is the last. */
    boolean completesUnlessSaid() {
        return this == V3;
    }

    /** Returns whether clients are told of limits. */
    boolean hasLimits() {
        return number >= 6;
    }

    /** Returns whether clients are told of progress. */
    boolean hasProgress() {
        return number >= 5;
    }

    /** Returns whether what is appended must be {@code application/partial-upload}. */
    boolean needsPartialUpload() {
        return number >= 6;
    }

    /** Returns whether HEAD and DELETE must be without offset and completeness. */
    boolean refusesStateInQuestions() {
        return number <= 5;
    }

    /** Returns whether an upload that has expired is gone (410), and not merely not found. */
    boolean tellsOfTheGone() {
        return number >= 6;
    }

    /** The status of a response to an append behind which more is to come. */
    int appendedStatus() {
        return number <= 4 ? 201 : 204;
    }

    /** The value of {@code Upload-Limit}. */
    String limits(OptionalLong maxBytes, Optional<Duration> age) {
        StringBuilder limits = new StringBuilder();
        maxBytes.ifPresent(bytes -> limits.append("max-size=").append(bytes));
        age.ifPresent(left -> {
            String key = this == V6 ? "expires=" : "max-age=";
            limits.append(limits.isEmpty() ? "" : ", ").append(key).append(left.toSeconds());
        });
        return limits.isEmpty() ? "min-size=0" : limits.toString();
    }
}
