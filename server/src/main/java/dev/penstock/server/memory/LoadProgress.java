package dev.penstock.server.memory;

import dev.penstock.query.Schema;
import dev.penstock.server.log.ProgressBar;
import dev.penstock.snapshot.Version;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * A listener that shows the loading of tables into memory until {@link #end}; later loads, while the server runs, are
 * not shown.
 */
final class LoadProgress implements dev.penstock.snapshot.Progress.Listener {
    /** The interval between lines that stay, for a table that takes long. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final Schema schema;
    private final ProgressBar progress;
    private Duration next = PAUSE;
    private volatile boolean ended;

    LoadProgress(Schema schema, ProgressBar progress) {
        this.schema = schema;
        this.progress = progress;
    }

    @Override
    public void loading(dev.penstock.snapshot.Progress now) {
        if (ended) {
            return;
        }
        boolean stays = now.done() || now.elapsed().compareTo(next) >= 0;
        if (stays && !now.done()) {
            next = now.elapsed().plus(PAUSE);
        }
        progress.show(line(now), stays);
    }

    private String line(dev.penstock.snapshot.Progress now) {
        double seconds = Math.max(1, now.elapsed().toNanos()) / 1e9;
        return String.format(
                Locale.ROOT,
                "Into memory: %s, %,d rows, %,.0f rows/s, %,.1f MB in all%s",
                schema.table(now.table()).map(schema::shown).orElse(now.table()),
                now.rows(),
                now.rows() / seconds,
                now.bytes() / 1e6,
                now.done() ? "" : " …");
    }

    /** Shows that the tables did not have to be loaded. */
    void fromFile(Version version) {
        progress.show(
                String.format(
                        Locale.ROOT,
                        "Into memory: from the file, %,d rows, %,.1f MB, as they were at %s; being brought up to date",
                        version.rows(),
                        version.bytes() / 1e6,
                        version.loaded().truncatedTo(ChronoUnit.SECONDS)),
                true);
    }

    /** Ends the display. */
    void end() {
        ended = true;
        progress.end();
    }
}
