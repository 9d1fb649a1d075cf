package dev.penstock.server.config;

import org.jspecify.annotations.Nullable;

/**
 * The way in which tables in memory follow the changes of the database.
 *
 * @param slot the name of PostgreSQL's replication slot; null for the usual one
 * @param isSlotDropped whether a stop that is asked for drops that slot
 */
public record FollowSettings(@Nullable String slot, boolean isSlotDropped) {}
