@org.jspecify.annotations.NullMarked
package dev.penstock.codegen.maven;
