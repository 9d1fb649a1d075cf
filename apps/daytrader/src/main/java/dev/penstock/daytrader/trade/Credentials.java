package dev.penstock.daytrader.trade;

/**
 * The stored secret of a user.
 *
 * @param userID as it is stored, which may differ from what somebody has typed
 */
public record Credentials(String userID, String passwordHash) {
    /** Leaves the hash out. */
    @Override
    public String toString() {
        return "Credentials[" + userID + "]";
    }
}
