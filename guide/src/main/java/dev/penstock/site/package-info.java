/**
 * The builder of the documentation's site: Markdown pages and API documentation as static HTML.
 *
 * <p>A {@link dev.penstock.site.Site} is made of a working copy. It finds the pages, reads each into a {@link
 * dev.penstock.site.Page}, and resolves their links: to another page, to a heading, to a picture, to a source file or a
 * folder, which get pages of their own. What can't be resolved is a problem; a site with problems is not written.
 * {@link dev.penstock.site.ApiDocumentation} runs the JDK's javadoc over the modules' public packages. {@link
 * dev.penstock.site.Snippets} keeps the programs in the pages equal to the sources that are compiled and run. Begin
 * reading at {@link dev.penstock.site.SiteBuilder}, which {@code ./penstock docs} runs.
 */
@NullMarked
package dev.penstock.site;

import org.jspecify.annotations.NullMarked;
