package dev.penstock.server;

/** The totals of rows below pages: where counting takes longer than a second, they are estimates, or not there. */
final class PageTotals {
    private PageTotals() {}

    /** A response body without the foot of a page, which depends on the total. */
    static String without(String body) {
        return body.replaceAll("(?s)<footer>.*?</footer>", "<footer/>");
    }
}
