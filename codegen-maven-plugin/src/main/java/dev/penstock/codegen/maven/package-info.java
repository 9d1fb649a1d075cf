/** The code generator as a Maven plugin. */
@org.jspecify.annotations.NullMarked
package dev.penstock.codegen.maven;
