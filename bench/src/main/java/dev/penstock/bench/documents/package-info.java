/**
 * XML documents as JSON, converted and kept in databases: how fast that is beside others, and what memory it takes.
 *
 * <p>{@link dev.penstock.bench.documents.DocumentsExperiment} runs the parts. {@code ConversionPart} converts a
 * document in memory by each {@code Conversion}, each in a JVM of its own; {@code MemoryPart} sends a document of 1 GB
 * through the converter and back in a small heap, from {@code GeneratedXml} to an {@code XmlDigest}, which tells
 * whether what came back says the same. {@code LargePart} does so through PostgreSQL. {@code StoresPart} and {@code
 * IndexedPart} keep {@code People} in each {@code PeopleStore}, which is a collection or an xml column, each in a JVM
 * of its own that a {@code PeopleWorker} works in.
 */
@NullMarked
package dev.penstock.bench.documents;

import org.jspecify.annotations.NullMarked;
