@org.jspecify.annotations.NullMarked
package dev.penstock.bench.pages;
