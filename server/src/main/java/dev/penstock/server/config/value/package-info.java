/** Values of options as they are written, such as {@code 30s} and {@code 64m}: read for picocli, and shown again. */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.config.value;
