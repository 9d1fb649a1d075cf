package dev.penstock.documents.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A tree of the stored keys under which any document of a collection holds elements and attributes, from the root
 * element on. It says which names a key has stood for and what was never seen at a path, so that a query can name
 * every path that it may reach. It only grows: what it says of all documents is true of any part of them. It holds for
 * documents whose values are stored as strings. Not thread-safe.
 *
 * <p>Memory is bounded by {@link Bounds}. A path that is deeper {@linkplain Path#isCut() cuts} the one above it, of
 * which is then not known what else is below. Where there are too many paths, the deepest are left out in the same way,
 * level by level, until the others have room; if not even the root elements have, the summary {@linkplain #overflows()
 * overflows} and says nothing. So what it says depends on the documents alone and not on their order, which is another
 * in each process: a document that brings nothing new to one summary brings nothing new to any other of the same
 * documents.
 */
public final class PathSummary {
    private final Bounds bounds;
    private final Path document = new Path(0, 0);

    /** The keys of the longest paths for which there is room. */
    private int depth;

    private int size;
    private long characters;
    private boolean isPartial;
    private boolean changed;

    /**
     * The bounds of a summary.
     *
     * @param paths the greatest number of paths
     * @param depth the greatest number of keys in a path
     * @param characters the most characters of keys and names in all; a namespace may be as long as a text
     * @param names the greatest number of names that one key of a path stands for; if there are more, none is kept
     * @param nameCharacters the most characters of these names, which count if none is kept
     */
    public record Bounds(int paths, int depth, long characters, int names, long nameCharacters) {
        /** The bounds of collections. */
        public static final Bounds DEFAULTS = new Bounds(10_000, 200, 1_000_000, 100, 5_000);
    }

    /** Makes an empty one with the bounds of collections. */
    public PathSummary() {
        this(Bounds.DEFAULTS);
    }

    /** Makes an empty one. */
    public PathSummary(Bounds bounds) {
        this.bounds = bounds;
        depth = bounds.depth();
    }

    /** Begins to record a document. What it holds is in this summary when its root element has ended. */
    public PathRecorder recorder() {
        return new PathRecorder(this);
    }

    /** Returns whether there were too many root elements. Then nothing may be concluded from what is absent. */
    public boolean overflows() {
        return document.isCut;
    }

    /** Returns whether it overflows, or some path is cut or stands for names that are not kept. */
    public boolean isPartial() {
        return isPartial;
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
        if (other.overflows()) {
            overflow();
        }
        Deque<Map.Entry<Path, Path>> pending = new ArrayDeque<>();
        pending.add(Map.entry(document, other.document));
        while (!pending.isEmpty()) {
            Map.Entry<Path, Path> pair = pending.remove();
            for (Map.Entry<String, Path> child : pair.getValue().children.entrySet()) {
                Path theirs = child.getValue();
                Path ours = child(pair.getKey(), child.getKey());
                theirs.names.forEach(name -> name(ours, name));
                mark(ours, theirs.hasElements, theirs.hasSplitText, theirs.isRepeated);
                markPartial(ours, theirs.isCut, theirs.hasOtherNames);
                if (isKept(ours)) {
                    pending.add(Map.entry(ours, theirs));
                }
            }
        }
        return changed;
    }

    /**
     * Returns a summary that says the same, and has given up the same levels. What {@link #toJson} writes does not tell
     * which, so that one read from it takes paths there for new.
     */
    public PathSummary copy() {
        PathSummary copy = new PathSummary(bounds);
        copy.depth = depth;
        copy.merge(this);
        return copy;
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
        Path known = parent.children.get(key);
        if (known != null) {
            return known;
        }
        Path child = new Path(parent.depth + 1, key.length());
        if (isKept(child)) {
            parent.children.put(key, child);
            size++;
            characters += key.length();
            changed = true;
            makeRoom();
        } else {
            markPartial(parent, true, false);
        }
        return child;
    }

    /** Returns whether there is room for a path, and that was not given up after the path was made. */
    private boolean isKept(Path path) {
        return path.depth <= depth;
    }

    public void name(Path path, Name name) {
        if (!isKept(path) || path.hasOtherNames || !path.names.add(name)) {
            return;
        }
        changed = true;
        long more = (long) name.uri().length() + name.local().length();
        if (path.names.size() > bounds.names()
                || path.nameCharacters + more > bounds.nameCharacters()) {
            markPartial(path, false, true);
        } else {
            path.nameCharacters += more;
            characters += more;
            makeRoom();
        }
    }

    public void mark(Path path, boolean hasElements, boolean hasSplitText, boolean isRepeated) {
        if (isKept(path)) {
            changed |=
                    (hasElements && !path.hasElements)
                            || (hasSplitText && !path.hasSplitText)
                            || (isRepeated && !path.isRepeated);
            path.hasElements |= hasElements;
            path.hasSplitText |= hasSplitText;
            path.isRepeated |= isRepeated;
        }
    }

    /** Notes what is not kept of a path: other paths below it, or the names that it stands for. */
    void markPartial(Path path, boolean isCut, boolean hasOtherNames) {
        if (!isKept(path)) {
            return;
        }
        changed |= (isCut && !path.isCut) || (hasOtherNames && !path.hasOtherNames);
        isPartial |= isCut || hasOtherNames;
        path.isCut |= isCut;
        if (hasOtherNames && !path.hasOtherNames) {
            path.hasOtherNames = true;
            path.names.clear();
            characters += bounds.nameCharacters() - path.nameCharacters;
            path.nameCharacters = bounds.nameCharacters();
            makeRoom();
        }
    }

    /** Gives up the deepest paths until the others are within the bounds. */
    private void makeRoom() {
        while (size > bounds.paths() || characters > bounds.characters()) {
            limitDepth(depth - 1);
        }
    }

    private void limitDepth(int limit) {
        changed = true;
        depth = limit;
        List<Path> level = List.of(document);
        for (int i = 0; i < limit; i++) {
            List<Path> next = new ArrayList<>();
            level.forEach(path -> next.addAll(path.children.values()));
            level = next;
        }
        for (Path path : level) {
            if (!path.children.isEmpty()) {
                path.children.values().forEach(this::forget);
                path.children.clear();
                markPartial(path, true, false);
            }
        }
    }

    private void forget(Path path) {
        size--;
        characters -= path.keyLength + path.nameCharacters;
        path.children.values().forEach(this::forget);
    }

    /** Has the summary say nothing. */
    void overflow() {
        if (!overflows()) {
            limitDepth(0);
            markPartial(document, true, false);
        }
    }

    /** A namespace, empty for none, and a local name. */
    public record Name(String uri, String local) {}

    /** A summary of all elements or attributes at one path. */
    public static final class Path {
        private final int depth;
        private final int keyLength;
        private final Map<String, Path> children = new LinkedHashMap<>();
        private final Set<Name> names = new LinkedHashSet<>();
        private long nameCharacters;
        private boolean hasElements;
        private boolean hasSplitText;
        private boolean isRepeated;
        private boolean isCut;
        private boolean hasOtherNames;

        private Path(int depth, int keyLength) {
            this.depth = depth;
            this.keyLength = keyLength;
        }

        /** The paths below by their keys: those of attributes begin with {@code @}. */
        public Map<String, Path> children() {
            return Collections.unmodifiableMap(children);
        }

        /** The names that the key has stood for at this path. */
        public Set<Name> names() {
            return Collections.unmodifiableSet(names);
        }

        /** Returns whether the key has stood for so many names that none of them is kept. */
        public boolean hasOtherNames() {
            return hasOtherNames;
        }

        /** Returns whether there may be other paths below, of elements and of attributes. */
        public boolean isCut() {
            return isCut;
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
