package dev.penstock.query.sql.statement;

/** The message of a driver's failure, as one sentence for people. */
public final class DriverMessage {
    private DriverMessage() {}

    /** Returns the message of the deepest cause that says something, without line breaks. */
    public static String of(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null && deepest.getCause().getMessage() != null) {
            deepest = deepest.getCause();
        }
        String outer = firstLine(failure);
        String inner = firstLine(deepest);
        return outer.contains(inner) ? outer : outer + " (" + inner + ")";
    }

    private static String firstLine(Throwable failure) {
        String message = failure.getMessage();
        if (message == null) {
            return failure.getClass().getSimpleName();
        }
        int sql = message.indexOf("; SQL statement:");
        String shown = sql < 0 ? message : message.substring(0, sql);
        return shown.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
