/** What a row becomes: JSON, NDJSON, CSV, HTML, XML, or a page of one's own. */
@org.jspecify.annotations.NullMarked
package dev.penstock.format;
