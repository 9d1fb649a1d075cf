/**
 * Tables of a database in memory, and the engine that answers plans from there.
 *
 * <p>A {@code Snapshot} loads tables and keeps versions of them: a {@code LoadedVersion} is all tables as they were at
 * one moment, with the {@code SnapshotEngine} that answers plans from them. {@code RoutedEngine} gives each plan to the
 * newest version if its table is there, and else to the database. For a refresh, the {@code VersionMaker} has a {@code
 * VersionLoader} load the next version beside the newest and puts it in its place: the {@code VersionLoader} decides
 * whether whole tables are read or only rows that have changed, and when that is not enough. How many versions are kept
 * is {@code Snapshot.Builder.keep}; {@code KeptVersions.publish} drops the oldest of more. What a dropped one has alone
 * is given back when its last user releases it ({@code Lifetime}), or by the garbage collector. A refresh that fails is
 * tried again by {@code ScheduledRefresh}, which waits longer each time. A {@code VersionStore} saves a version to a
 * file, from which another process starts.
 *
 * <p>Behind this package, from the ground up: {@code memory} (outside the heap, counted), {@code work} (threads),
 * {@code column} (cells as codes or texts), {@code build} (columns while rows come in), {@code load} (copying from the
 * database), {@code index}, {@code rows} (filters, scans, sorts), {@code aggregate}, {@code execute} (a plan on a
 * version), {@code shortcut} (answers in nanoseconds), and {@code file} (versions in files).
 *
 * <p>Null is checked at run time in this package, which others see; in those behind it by the compiler alone
 * (NullAway).
 *
 * <p>Begin reading with {@code VersionMaker.refresh} for the way of the data into memory, and with
 * {@code SnapshotEngine.open} for the way of a plan.
 */
@NullMarked
package dev.penstock.snapshot;

import org.jspecify.annotations.NullMarked;
