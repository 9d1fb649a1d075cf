package dev.penstock.server.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The collections of XML documents that are served.
 *
 * @param database that holds them
 * @param collections their names; those that are missing are made
 * @param tokens of those who may use them; null where this machine alone may
 */
public record DocumentSettings(
        DatabaseTarget database, List<String> collections, @Nullable TokenFile tokens) {
    public DocumentSettings {
        collections = List.copyOf(collections);
        if (collections.isEmpty()) {
            throw new StartupException("--documents names no collection: write --documents people");
        }
    }
}
