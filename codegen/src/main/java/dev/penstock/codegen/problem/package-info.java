/** The one kind of failure of the generator: a request that can't be met, with its reason and its remedy. */
@org.jspecify.annotations.NullMarked
package dev.penstock.codegen.problem;
