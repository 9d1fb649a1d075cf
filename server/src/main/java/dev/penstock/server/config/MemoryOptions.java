package dev.penstock.server.config;

import dev.penstock.server.config.value.DurationConverter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose which tables are answered from memory. */
public final class MemoryOptions {
    /** The launcher gives the JVM as much where nothing else is asked for. */
    private static final String DEFAULT_MEMORY = "1g";

    private static final Pattern SLOT = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,6})([mMgG])");
    private static final long MAX_BYTES = 1L << 40;
    private static final Duration MIN_REFRESH = Duration.ofSeconds(1);
    private static final Duration MAX_REFRESH = Duration.ofDays(7);

    @Option(
            names = "--accelerate",
            paramLabel = "TABLE",
            description =
                    "Tables or views that are loaded into memory at the start and answered from there,"
                            + " such as film,actor; with some of their columns alone as in"
                            + " 'film(film_id,title),actor'; may be repeated. Requests that need other"
                            + " columns are the database's. Their rows stay as they were at the start, but"
                            + " for --refresh and --follow.")
    private List<String> texts = new ArrayList<>();

    @Option(
            names = "--index",
            paramLabel = "TABLE(COLUMN)",
            description =
                    "Indexes of these tables that are there before they answer, at the start and after each"
                            + " refresh, such as 'film(length),film(rating,length)'; may be repeated. Others are"
                            + " built when they first pay.")
    private List<String> indexes = new ArrayList<>();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description =
                    "How much these tables and their indexes may take outside the heap (1m to 1024g), two"
                            + " versions of them while one is refreshed; the launcher allows the JVM as"
                            + " much. Default: "
                            + DEFAULT_MEMORY
                            + ".")
    private @Nullable String memory;

    @Option(
            names = "--refresh",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "How often they are loaded again (1s to 168h), beside those that go on answering."
                            + " Default: never.")
    private @Nullable Duration refresh;

    @Option(
            names = "--follow",
            description =
                    "Brings these tables up to date as soon as the database has changed, by its log: PostgreSQL with"
                            + " wal_level = logical, MariaDB with binlog_format = ROW. In place of --refresh.")
    private boolean follow;

    @Option(
            names = "--follow-slot",
            paramLabel = "NAME",
            description =
                    "PostgreSQL's replication slot of --follow, one for each server: lower-case letters, digits and _."
                            + " Default: penstock.")
    private @Nullable String slot;

    @Option(
            names = "--follow-drop",
            description =
                    "Drops that slot at the end, so that the database keeps no log for it; the next start then loads"
                            + " the tables.")
    private boolean isSlotDropped;

    @Option(
            names = "--memory-file",
            paramLabel = "DIR",
            description =
                    "The directory of a file from which these tables start, without being read from the database:"
                            + " they answer at once, as they were when it was written, and are brought up to date"
                            + " beside that. It is written after the start and every ten minutes if they were"
                            + " refreshed. Default: none.")
    private @Nullable Path directory;

    private void check() {
        bytes();
        if (refresh != null) {
            OptionRange.check("--refresh", refresh, MIN_REFRESH, MAX_REFRESH);
        }
        if (texts.isEmpty() && optionWithoutTables() != null) {
            throw new StartupException(
                    optionWithoutTables()
                            + " is for tables that are answered from memory: name them with --accelerate");
        }
    }

    /** Returns how changes are followed; null where they are not. */
    private MemorySettings.@Nullable Follow follow() {
        if (!follow) {
            if (slot != null || isSlotDropped) {
                throw new StartupException(
                        (slot != null ? "--follow-slot" : "--follow-drop")
                                + " is for tables that follow the database: give --follow too");
            }
            return null;
        }
        if (refresh != null) {
            throw new StartupException(
                    "--refresh loads the tables by time, and --follow as soon as they change: give one of the two");
        }
        if (slot != null && !SLOT.matcher(slot).matches()) {
            throw new StartupException(
                    "--follow-slot "
                            + slot
                            + " is no name of a slot: choose lower-case letters, digits and _, at most 63, and no"
                            + " digit first");
        }
        return new MemorySettings.Follow(slot, isSlotDropped);
    }

    /** Returns an option that is given and needs tables; null where there is none. */
    private @Nullable String optionWithoutTables() {
        if (memory != null) {
            return "--memory";
        }
        if (refresh != null) {
            return "--refresh";
        }
        if (directory != null) {
            return "--memory-file";
        }
        if (follow) {
            return "--follow";
        }
        return indexes.isEmpty() ? null : "--index";
    }

    /**
     * Returns the tables that are to be in memory.
     *
     * @throws StartupException if they are written in another way, or one is named twice
     */
    static List<TableColumns> tables(List<String> texts) {
        List<TableColumns> tables =
                TableColumns.parse(
                        "--accelerate",
                        "list of tables: write it like film,actor or 'film(film_id,title),actor'",
                        texts);
        Set<String> names = new HashSet<>();
        for (TableColumns each : tables) {
            if (!names.add(each.name())) {
                throw new StartupException(
                        "--accelerate names table %s twice: name it once, with all its columns"
                                .formatted(each.name()));
            }
        }
        return tables;
    }

    /**
     * Returns the indexes that are declared.
     *
     * @throws StartupException if they are written in another way, or one has no columns
     */
    static List<TableColumns> indexes(List<String> texts) {
        List<TableColumns> indexes =
                TableColumns.parse(
                        "--index",
                        "list of indexes: write it like 'film(length),film(rating,length)'",
                        texts);
        for (TableColumns each : indexes) {
            if (each.columns().isEmpty()) {
                throw new StartupException(
                        "--index %s names no columns: write it like '%s(column)'"
                                .formatted(each.name(), each.name()));
            }
        }
        return indexes;
    }

    private long bytes() {
        String size = memory == null ? DEFAULT_MEMORY : memory;
        Matcher matcher = SIZE.matcher(size);
        if (!matcher.matches()) {
            throw new StartupException(
                    "--memory " + size + " is no size: write it like 512m or 2g");
        }
        boolean megabytes = matcher.group(2).equalsIgnoreCase("m");
        long bytes = Long.parseLong(matcher.group(1)) << (megabytes ? 20 : 30);
        if (bytes > MAX_BYTES) {
            throw new StartupException(
                    "--memory " + size + " is out of bounds: choose 1m to 1024g");
        }
        return bytes;
    }

    /**
     * Returns the settings; empty where no table is to be in memory.
     *
     * @throws StartupException if an option is out of its bounds
     */
    public Optional<MemorySettings> settings() {
        check();
        MemorySettings.Follow followed = follow();
        return texts.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new MemorySettings(
                                tables(texts),
                                indexes(indexes),
                                bytes(),
                                refresh,
                                followed,
                                directory == null
                                        ? null
                                        : WritableDirectory.of("--memory-file", directory)));
    }
}
