/**
 * A client that puts and gets bodies of any size, and resumes what broke off.
 */
@NullMarked
package dev.penstock.transfer.client;

import org.jspecify.annotations.NullMarked;
