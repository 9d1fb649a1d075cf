/**
 * The programs of the guide, {@code docs/guide}, as a reader has them in a project of their own. The pages show parts
 * of these files, which lie between {@code // region NAME} and {@code // end}; a test compares, and others run the
 * programs.
 */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
