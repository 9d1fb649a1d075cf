/** The classes that jte makes of {@code src/main/jte}. Its generator knows nothing of nullness. */
@org.jspecify.annotations.NullUnmarked
package dev.penstock.daytrader.templates;
