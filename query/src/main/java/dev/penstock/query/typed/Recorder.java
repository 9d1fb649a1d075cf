package dev.penstock.query.typed;

/** A stage that is still part of the plan. */
interface Recorder {
    /** What was asked so far. */
    Recording<?> recording();
}
