/**
 * Versions of tables in files: written from memory, and mapped to be answered from as they are.
 *
 * <p>A {@code VersionFile} has a {@code FileHeader}, the numbers and bytes that columns and indexes are made of, each
 * from a multiple of 64 bytes on, and at its end a directory that says where each lies ({@code TableWriter}, {@code
 * TableReader}). The bytes in the file are those in memory, so that nothing is decoded: they are mapped ({@code
 * MappedSegments}), and the operating system has each page once for all processes.
 *
 * <p>Invariants: a file is written beside its place and moved there when all of it is on the disk, and is never changed
 * after that. No cell is read before the checksums of the header, the directory and every block ({@code
 * BlockChecksums}) were compared, and the {@code SchemaFingerprint} of every table; else the file is refused ({@code
 * RefusedFileException}), and never believed in part. docs/decisions/versions-in-files.md has the reasons. Begin with
 * {@code VersionFile}.
 */
@NullMarked
package dev.penstock.snapshot.file;

import org.jspecify.annotations.NullMarked;
