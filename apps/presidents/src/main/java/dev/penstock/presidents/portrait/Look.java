package dev.penstock.presidents.portrait;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a {@link Portrait} shows of somebody, beside what all have. */
public enum Look {
    // hair
    QUEUE,
    BALD,
    SWEPT,
    LONG,
    TOUSLED,
    FULL,
    CURLY,
    TALL,
    HAT,
    PARTED,
    SHORT,
    RECEDING,
    POMPADOUR,
    CROPPED,
    FORWARD,
    // face
    WHISKERS,
    CHINBEARD,
    BEARD,
    LONGBEARD,
    MOUSTACHE,
    GLASSES,
    // stature
    STOUT,
    THIN,
    SMALL;

    /** Reads lower-case names with spaces between them. */
    public static Set<Look> parse(String names) {
        Set<Look> looks = EnumSet.noneOf(Look.class);
        for (String name : names.split(" +", -1)) {
            looks.add(valueOf(name.toUpperCase(Locale.ROOT)));
        }
        return looks;
    }
}
