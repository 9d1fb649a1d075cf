package dev.penstock.documents.format;

/** The names and characters that XML 1.0 allows, in its fifth edition. */
public final class Names {
    private static final boolean[] STARTS = new boolean[128];
    private static final boolean[] PARTS = new boolean[128];

    static {
        for (int c = 0; c < 128; c++) {
            boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            STARTS[c] = isLetter;
            PARTS[c] = isLetter || (c >= '0' && c <= '9') || c == '-' || c == '.';
        }
    }

    private Names() {}

    /** Returns whether a text is a qualified name: one or two names without a colon. */
    public static boolean isQualified(String name) {
        int colon = name.indexOf(':');
        return colon < 0
                ? isLocal(name, 0, name.length())
                : isLocal(name, 0, colon) && isLocal(name, colon + 1, name.length());
    }

    public static boolean isLocal(String name, int from, int to) {
        if (from >= to) {
            return false;
        }
        for (int i = from; i < to; ) {
            int c = name.codePointAt(i);
            boolean isAllowed = c < 128 ? (i == from ? STARTS : PARTS)[c] : isBeyond(c, i == from);
            if (!isAllowed) {
                return false;
            }
            i += Character.charCount(c);
        }
        return true;
    }

    private static boolean isBeyond(int c, boolean isFirst) {
        boolean isStart =
                (c >= 0xc0 && c <= 0x2ff && c != 0xd7 && c != 0xf7)
                        || (c >= 0x370 && c <= 0x1fff && c != 0x37e)
                        || (c >= 0x200c && c <= 0x200d)
                        || (c >= 0x2070 && c <= 0x218f)
                        || (c >= 0x2c00 && c <= 0x2fef)
                        || (c >= 0x3001 && c <= 0xd7ff)
                        || (c >= 0xf900 && c <= 0xfdcf)
                        || (c >= 0xfdf0 && c <= 0xfffd)
                        || (c >= 0x10000 && c <= 0xeffff);
        boolean isPart = c == 0xb7 || (c >= 0x300 && c <= 0x36f) || (c >= 0x203f && c <= 0x2040);
        return isStart || (!isFirst && isPart);
    }

    /** Returns the index of the first character that XML 1.0 does not allow, or -1. */
    public static int firstForbidden(String text) {
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            boolean isOne =
                    (c >= 0x20 && c < 0xd800)
                            || c == '\n'
                            || c == '\t'
                            || c == '\r'
                            || (c >= 0xe000 && c <= 0xfffd);
            boolean isPair =
                    Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1));
            if (!isOne && !isPair) {
                return i;
            }
            i += isOne ? 1 : 2;
        }
        return -1;
    }
}
