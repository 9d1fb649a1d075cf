package dev.penstock.transfer.client.resume;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The state of a download of rows: how the server lets it go on, and how much of it is whole rows.
 *
 * <p>It is a journal of these lines: {@code rows KEY BOOT TYPE COLUMNS} begins it, and {@code whole START END COUNT}
 * says that the last whole row so far stands from {@code START} to {@code END}, and how many there are. Bytes behind
 * it may follow. After a start of the machine nothing of it counts, unless a line {@code forced} follows. It is for
 * one thread.
 */
public final class RowsState implements AutoCloseable {
    private static final long COMPACT_BYTES = 256 * 1024;
    private static final long FORCE_BYTES = 256L << 20;

    private final PartFile part;
    private final String key;
    private final Journal journal;
    private Optional<Export> export = Optional.empty();
    private Optional<WholeRows> whole = Optional.empty();
    private long forcedTo;

    /**
     * The way of an export.
     *
     * @param mediaType of the rows
     * @param columns the names of the order's columns, as the server wrote them
     */
    public record Export(String mediaType, String columns) {}

    /** The last whole row, from its first byte to the byte behind it, and the number of rows up to there. */
    public record WholeRows(long start, long end, long count) {}

    private RowsState(PartFile part, String key, Journal journal) {
        this.part = part;
        this.key = key;
        this.journal = journal;
    }

    /** Opens what an earlier download of the same resource has left. */
    public static RowsState open(PartFile part, String key) throws IOException {
        List<String> lines = Journal.read(part.statePath());
        RowsState state = new RowsState(part, key, Journal.open(part.statePath()));
        try {
            state.load(lines);
            if (state.export.isPresent()) {
                // What is added must not stand behind a torn line.
                part.force();
                state.rewrite();
            }
        } catch (IOException | RuntimeException e) {
            state.close();
            throw e;
        }
        return state;
    }

    /** Returns whether the state beside a part file is one of rows of this resource, some of which are there. */
    public static boolean isThere(PartFile part, String key) throws IOException {
        List<String> lines = Journal.read(part.statePath());
        return !lines.isEmpty()
                && lines.getFirst().startsWith("rows " + key + " ")
                && lines.stream().anyMatch(line -> line.startsWith("whole "));
    }

    private void load(List<String> lines) {
        String[] head = lines.isEmpty() ? new String[0] : lines.getFirst().split(" ", 5);
        if (head.length < 5 || !head[0].equals("rows") || !head[1].equals(key)) {
            return;
        }
        export = Optional.of(new Export(head[3], head[4]));
        boolean isSameBoot = head[2].equals(BootId.current());
        Optional<WholeRows> last = Optional.empty();
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith("whole ")) {
                String[] words = line.split(" ", -1);
                last =
                        Optional.of(
                                new WholeRows(
                                        Long.parseLong(words[1]),
                                        Long.parseLong(words[2]),
                                        Long.parseLong(words[3])));
            } else if (line.equals("forced")) {
                whole = last;
            }
        }
        if (isSameBoot) {
            whole = last;
        }
    }

    /** The export that the rows are of; nothing when there are none. */
    public Optional<Export> export() {
        return export;
    }

    /** The rows that are there. */
    public Optional<WholeRows> whole() {
        return whole;
    }

    /** Begins with an export, from nothing. */
    public void begin(Export given) throws IOException {
        export = Optional.of(given);
        whole = Optional.empty();
        rewrite();
        part.truncate(0);
    }

    /** Notes that whole rows have been written. */
    public void whole(WholeRows given) throws IOException {
        whole = Optional.of(given);
        if (given.end() - forcedTo >= FORCE_BYTES || journal.size() > COMPACT_BYTES) {
            part.force();
            forcedTo = given.end();
            rewrite();
        } else {
            journal.add(line(given));
        }
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }

    private void rewrite() throws IOException {
        Export of = export.orElseThrow();
        String head =
                "rows " + key + " " + BootId.current() + " " + of.mediaType() + " " + of.columns();
        journal.rewrite(whole.map(w -> List.of(head, line(w), "forced")).orElse(List.of(head)));
    }

    private static String line(WholeRows rows) {
        return "whole " + rows.start() + " " + rows.end() + " " + rows.count();
    }
}
