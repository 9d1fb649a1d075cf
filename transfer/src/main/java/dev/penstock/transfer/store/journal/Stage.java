package dev.penstock.transfer.store.journal;

import java.util.Arrays;
import java.util.Optional;

/** The stages in the life of an upload, in their order. */
public enum Stage {
    /** Bytes are missing, or nobody has said yet that they are all. */
    RECEIVING(0),
    /** All bytes are there; the application has not looked at them yet. */
    RECEIVED(1),
    /** The application has accepted them. The file has its name next. */
    ACCEPTED(2),
    /** The file has its name; the application may not have heard of it yet. A partial upload is here without a name. */
    MOVED(3),
    /** The application has heard of it. */
    FINISHED(4);

    private final int code;

    Stage(int code) {
        this.code = code;
    }

    /** The number that stands for it in a journal. */
    int code() {
        return code;
    }

    /** Finds the stage of a number. */
    static Optional<Stage> of(int code) {
        return Arrays.stream(values()).filter(stage -> stage.code == code).findFirst();
    }

    /** Returns whether all bytes are there, accepted and in their place. */
    public boolean isComplete() {
        return this == MOVED || this == FINISHED;
    }
}
