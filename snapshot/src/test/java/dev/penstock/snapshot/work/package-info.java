@org.jspecify.annotations.NullUnmarked
package dev.penstock.snapshot.work;
