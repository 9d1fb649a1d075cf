package dev.penstock.documents.xpath;

import java.util.Locale;

/** The direction of a step, in the order and under the names of the recommendation. */
public enum Axis {
    CHILD,
    DESCENDANT,
    PARENT,
    ANCESTOR,
    FOLLOWING_SIBLING,
    PRECEDING_SIBLING,
    FOLLOWING,
    PRECEDING,
    ATTRIBUTE,
    NAMESPACE,
    SELF,
    DESCENDANT_OR_SELF,
    ANCESTOR_OR_SELF;

    /** The axis of a name as expressions have it. */
    public static Axis named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
