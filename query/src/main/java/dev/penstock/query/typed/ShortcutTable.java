package dev.penstock.query.typed;

import dev.penstock.query.Engine;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.shortcut.ShortcutRows;
import dev.penstock.query.typed.shortcut.Shortcuts;
import dev.penstock.query.typed.stream.RowRecorder;
import java.util.stream.Stream;

/**
 * A table whose engine has {@link Shortcuts}.
 *
 * <p>Its streams have a class for each shape for which there is one, so that the terminal operation knows the shape by
 * its class, and nothing on its way keeps what was recorded: then the compiler need not make it at all. Every other
 * operation goes on as that of any {@link RowRecorder}.
 */
final class ShortcutTable<R> extends TypedTable<R> {
    private final Shortcuts shortcuts;

    ShortcutTable(Engine engine, Entity<R> entity, Shortcuts shortcuts) {
        super(engine, entity, true);
        this.shortcuts = shortcuts;
    }

    @Override
    public Stream<R> stream() {
        return new ShortcutRows<>(mapping(), shortcuts);
    }
}
