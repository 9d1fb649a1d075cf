package dev.penstock.query.typed.shortcut;

import dev.penstock.query.Engine;
import dev.penstock.query.typed.field.Entity;
import org.jspecify.annotations.Nullable;

/** An engine that gives some answers of a typed table without a plan. */
public interface ShortcutEngine extends Engine {
    /**
     * Returns the shortcuts to the table of an entity, which live as long as the typed table; null where there are
     * none.
     */
    @Nullable Shortcuts shortcuts(Entity<?> entity);
}
