package dev.penstock.daytrader.session;

/**
 * A user who is logged in at one browser. Immutable.
 *
 * @param id what the cookie holds: 192 random bits
 * @param formToken what each form of this session's pages has, so that no other site's page can send one: 128 random
 *     bits
 */
public record Session(String id, String userID, String formToken) {
    /** Leaves the secrets out. */
    @Override
    public String toString() {
        return "Session[" + userID + "]";
    }
}
