package dev.penstock.snapshot;

import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import dev.penstock.snapshot.load.LoadContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The side of a snapshot that follows a feed of changes. One thread at a time loads versions; the feed itself is
 * thread-safe.
 *
 * <p>What was taken from the feed waits here until a version has it: a loading that fails leaves it to the next one.
 */
final class Following {
    /** The most times that tables are read which are emptied, or written anew, while they are read. */
    private static final int MOST_ATTEMPTS = 5;

    private final ChangeFeed feed;
    private final VersionLoader loader;

    /** The changed rows that were taken and that no version has yet, by the names of their tables. */
    private Map<String, ChangedRows> waiting = Map.of();

    Following(ChangeFeed feed, VersionLoader loader) {
        this.feed = feed;
        this.loader = loader;
    }

    ChangeFeed feed() {
        return feed;
    }

    /**
     * Starts the feed; returns whether a version that was saved can be gone on from.
     *
     * @param saved null where there is none
     */
    boolean start(@Nullable LoadedVersion saved) {
        List<Table> tables =
                loader.sources().stream().map(source -> source.part().whole()).toList();
        String position = saved == null ? null : saved.position();
        return feed.start(tables, position) && position != null;
    }

    /** Loads the version after another; returns that one where nothing has come since. */
    LoadedVersion load(@Nullable LoadedVersion before, LoadContext current) {
        for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
            Taken taken = take(before);
            if (before != null
                    && taken.rows.isEmpty()
                    && taken.position.equals(before.position())
                    && !before.isFromFile()) {
                return before;
            }
            LoadedVersion loaded =
                    loader.follow(before, taken.rows, feed::peek, taken.position, current);
            if (isCurrent(loaded)) {
                waiting = Map.of();
                return loaded;
            }
        }
        throw new QueryException(
                QueryException.Kind.DATABASE,
                "tables were emptied or written anew each of the %d times that they were read; they are read later"
                        .formatted(MOST_ATTEMPTS));
    }

    /** Returns whether a version can be published; else it ends. */
    private boolean isCurrent(LoadedVersion loaded) {
        boolean isCurrent = false;
        try {
            isCurrent = feed.isCurrent();
            return isCurrent;
        } finally {
            if (!isCurrent) {
                loaded.lifetime().release();
            }
        }
    }

    /**
     * Rows to be read.
     *
     * @param position where to go on after those that were taken
     */
    private record Taken(String position, Map<String, ChangedRows> rows) {}

    private Taken take(@Nullable LoadedVersion before) {
        ChangeFeed.Changes taken = feed.take();
        waiting = VersionLoader.joined(waiting, taken.tables());
        if (before == null || !waiting.isEmpty()) {
            return new Taken(taken.position(), waiting);
        }
        // What was committed before this refresh may not have come yet when it took.
        Map<String, ChangedRows> further = feed.peek();
        if (!further.isEmpty()) {
            taken = feed.take();
            waiting = taken.tables();
        }
        // What can't be taken yet, as it is behind something that not everyone sees, is read all
        // the same.
        return new Taken(taken.position(), waiting.isEmpty() ? further : waiting);
    }
}
