@org.jspecify.annotations.NullMarked
package dev.penstock.artifacts;
