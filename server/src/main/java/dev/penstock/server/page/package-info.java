/**
 * The pages and JSON documents of every server: the first page, the tables in memory, and the status.
 *
 * <p>A page is a file beside its class, with markers in double braces that are replaced by escaped text. No page needs
 * anything from another site, and each has a content security policy that says so. {@link
 * dev.penstock.server.page.LocalOnly} keeps requests that run or connect something to this machine.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.page;
