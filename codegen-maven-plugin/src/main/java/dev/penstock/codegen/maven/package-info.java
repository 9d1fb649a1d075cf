/**
 * The code generator as a Maven plugin: a thin layer of parameters over {@code dev.penstock.codegen}.
 *
 * <p>{@code GenerateMojo} ({@code penstock:generate}) writes the sources of a schema file or a database, {@code
 * SchemaMojo} ({@code penstock:schema}) writes the schema file. Both read a database through {@code DatabaseMojo},
 * which finds the driver among the plugin's own dependencies ({@code DriverDataSource}).
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.codegen.maven;
