package dev.penstock.server.config;

/**
 * The way in which tables in memory follow the changes of the database.
 *
 * @param slot the name of the mark in the database's log
 * @param isDroppedAtTheEnd whether a stop that is asked for removes that mark
 */
public record FollowSettings(String slot, boolean isDroppedAtTheEnd) {}
