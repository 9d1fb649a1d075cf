package dev.penstock.daytrader.trade;

/** A refusal of the business logic: nothing was changed. Its message is for the user. */
public final class TradeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The reasons of refusals. */
    public enum Kind {
        /** The request makes no sense. */
        INVALID,
        /** There is no such stock, holding, order or user. */
        NOT_FOUND,
        /** It can't be done as things stand: too little money, sold already, a name that is taken. */
        CONFLICT,
        /** There is no time for it now; it can be tried again. */
        BUSY,
        /** The password is wrong, or the user unknown; which of them is not told. */
        WRONG_PASSWORD
    }

    private final Kind kind;

    public TradeException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** Returns the refusal of a login, which does not tell whether there is such a user. */
    public static TradeException wrongPassword() {
        return new TradeException(Kind.WRONG_PASSWORD, "The user ID or the password is not right.");
    }

    /** The reason for the refusal. */
    public Kind kind() {
        return kind;
    }
}
