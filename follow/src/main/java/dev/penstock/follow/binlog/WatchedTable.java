package dev.penstock.follow.binlog;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table whose changes in the log matter: it is followed, or a foreign key hands its changes down to one that is,
 * which InnoDB does without the log.
 *
 * @param schema the database that holds it
 * @param name its name in the database
 * @param followed the name that changed rows are told by; null if it is not followed
 * @param columns how many columns it has at least; 0 if they can't be seen
 * @param versioned whether it keeps rows that are gone, so that the log has a changed row for one that goes
 * @param key the columns of its key, in the key's order; empty if rows can't be told by it
 * @param onDelete the followed tables that may change with a row that goes
 * @param onUpdate those that may change with a row that is changed
 */
record WatchedTable(
        String schema,
        String name,
        @Nullable String followed,
        int columns,
        boolean versioned,
        List<KeyColumn> key,
        Set<String> onDelete,
        List<Cascade> onUpdate) {
    WatchedTable {
        key = List.copyOf(key);
        onDelete = Set.copyOf(onDelete);
        onUpdate = List.copyOf(onUpdate);
    }

    /**
     * A foreign key that hands changes of some columns down.
     *
     * @param columns the places of the columns that it refers to, from 0
     * @param tables the followed tables that may change with them
     */
    record Cascade(List<Integer> columns, Set<String> tables) {
        Cascade {
            columns = List.copyOf(columns);
            tables = Set.copyOf(tables);
        }
    }

    /** Returns the followed tables that may change with this one, itself among them. */
    Stream<String> concerned() {
        return Stream.of(
                        Stream.ofNullable(followed),
                        onDelete.stream(),
                        onUpdate.stream().flatMap(cascade -> cascade.tables().stream()))
                .flatMap(each -> each);
    }

    /** Returns the places of the columns whose cells matter. */
    IntStream readColumns() {
        return IntStream.concat(
                key.stream().mapToInt(KeyColumn::index),
                onUpdate.stream()
                        .flatMap(cascade -> cascade.columns().stream())
                        .mapToInt(Integer::intValue));
    }
}
