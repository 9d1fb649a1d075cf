/** Records with typed fields, generated from a database's schema or from a schema file that was made of one. */
@org.jspecify.annotations.NullMarked
package dev.penstock.codegen;
