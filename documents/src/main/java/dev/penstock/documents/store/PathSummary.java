package dev.penstock.documents.store;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A tree of the stored keys under which any document of a collection holds elements and attributes, from the root
 * element on. It says which names a key has stood for and what was never seen at a path, so that a query can name
 * every path that it may reach. It only grows: what it says of all documents is true of any part of them.
 *
 * <p>Memory is bounded by {@value #MAX_PATHS} paths of at most {@value #MAX_DEPTH} keys; beyond, and beyond
 * {@value #MAX_NAMES} names of one key, the summary {@linkplain #overflows() overflows} and says nothing. It holds for
 * documents whose values are stored as strings. Not thread-safe.
 */
public final class PathSummary {
    /** The greatest number of paths. */
    public static final int MAX_PATHS = 10_000;

    /** The greatest number of keys in a path. */
    public static final int MAX_DEPTH = 200;

    /** The greatest number of names that one key of a path stands for. */
    public static final int MAX_NAMES = 100;

    /** The most characters of keys and names in all. */
    private static final long MAX_CHARACTERS = 1_000_000;

    private final Path document = new Path(0);
    private int size;
    private long characters;
    private boolean overflows;
    private boolean changed;

    /** Begins to record a document. What it holds is in this summary when its root element has ended. */
    public PathRecorder recorder() {
        return new PathRecorder(this);
    }

    /** Returns whether there was too much to record. Then nothing may be concluded from what is absent. */
    public boolean overflows() {
        return overflows;
    }

    /** The number of paths. */
    public int size() {
        return size;
    }

    /** The parent of all paths: the document, whose children are root elements. */
    public Path document() {
        return document;
    }

    /**
     * Adds what another summary says.
     *
     * @return whether this summary now says something else than before
     */
    public boolean merge(PathSummary other) {
        changed = false;
        if (other.overflows) {
            overflow();
        }
        Deque<Map.Entry<Path, Path>> pending = new ArrayDeque<>();
        pending.add(Map.entry(document, other.document));
        while (!pending.isEmpty() && !overflows) {
            Map.Entry<Path, Path> pair = pending.remove();
            for (Map.Entry<String, Path> child : pair.getValue().children.entrySet()) {
                Path theirs = child.getValue();
                Path ours = child(pair.getKey(), child.getKey());
                theirs.names.forEach(name -> name(ours, name));
                mark(ours, theirs.hasElements, theirs.hasSplitText, theirs.isRepeated);
                pending.add(Map.entry(ours, theirs));
            }
        }
        return changed;
    }

    /** The summary as JSON text, of version 1. */
    public String toJson() {
        return PathSummaryJson.write(this);
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws dev.penstock.documents.DocumentException {@code JSON} if the text is none, or of another version
     */
    public static PathSummary fromJson(String json) {
        return PathSummaryJson.read(json);
    }

    /** The path of a key below another; where there is no room for it, one that is not kept. */
    public Path child(Path parent, String key) {
        Path child = parent.children.get(key);
        if (child == null) {
            child = new Path(parent.depth + 1);
            if (size == MAX_PATHS || child.depth > MAX_DEPTH) {
                overflow();
            } else if (!overflows) {
                parent.children.put(key, child);
                size++;
                changed = true;
                count(key.length());
            }
        }
        return child;
    }

    public void name(Path path, Name name) {
        if (!overflows && path.names.add(name)) {
            changed = true;
            if (path.names.size() > MAX_NAMES) {
                overflow();
            }
            count(name.uri().length() + name.local().length());
        }
    }

    /** Counts characters of keys and names, which are bounded too: a namespace may be as long as a text. */
    private void count(int more) {
        characters += more;
        if (characters > MAX_CHARACTERS) {
            overflow();
        }
    }

    public void mark(Path path, boolean hasElements, boolean hasSplitText, boolean isRepeated) {
        changed |=
                (hasElements && !path.hasElements)
                        || (hasSplitText && !path.hasSplitText)
                        || (isRepeated && !path.isRepeated);
        path.hasElements |= hasElements;
        path.hasSplitText |= hasSplitText;
        path.isRepeated |= isRepeated;
    }

    public void overflow() {
        changed |= !overflows;
        overflows = true;
        document.children.clear();
        size = 0;
        characters = 0;
    }

    /** A namespace, empty for none, and a local name. */
    public record Name(String uri, String local) {}

    /** A summary of all elements or attributes at one path. */
    public static final class Path {
        private final int depth;
        private final Map<String, Path> children = new LinkedHashMap<>();
        private final Set<Name> names = new LinkedHashSet<>();
        private boolean hasElements;
        private boolean hasSplitText;
        private boolean isRepeated;

        private Path(int depth) {
            this.depth = depth;
        }

        /** The paths below by their keys: those of attributes begin with {@code @}. */
        public Map<String, Path> children() {
            return Collections.unmodifiableMap(children);
        }

        /** The names that the key has stood for at this path. */
        public Set<Name> names() {
            return Collections.unmodifiableSet(names);
        }

        /** Returns whether some element here has elements in it. */
        public boolean hasElements() {
            return hasElements;
        }

        /**
         * Returns whether some element here without elements in it is stored with a text that is not its string value:
         * in several runs, or as white space beside comments or instructions.
         */
        public boolean hasSplitText() {
            return hasSplitText;
        }

        /** Returns whether some parent has several elements here. */
        public boolean isRepeated() {
            return isRepeated;
        }
    }
}
