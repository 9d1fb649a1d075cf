package dev.penstock.server.documents;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import dev.penstock.server.config.DocumentOptions;
import dev.penstock.server.config.MongoTarget;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.log.FirstSentence;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The meaning of what MongoDB's driver throws. */
final class MongoFailure {
    private static final int DEEPEST_CAUSE = 20;
    private static final int UNAUTHORIZED = 13;

    /** The driver's words about servers that it could not reach or find: an exception's class, and its message. */
    private static final Pattern CAUSE =
            Pattern.compile(
                    "(?:\\{|srvResolutionException=)([\\w.$]+Exception): ([^{}]*?)(?:}|, servers=)");

    private MongoFailure() {}

    /** Returns whether a request failed because MongoDB is not reachable, or elects another primary. */
    static boolean isUnreachable(Throwable failure) {
        return failure instanceof MongoTimeoutException
                || failure instanceof MongoSocketException
                || failure instanceof MongoServerUnavailableException
                || failure instanceof MongoConnectionPoolClearedException
                || failure instanceof MongoNotPrimaryException
                || failure instanceof MongoNodeIsRecoveringException;
    }

    /** Explains in one sentence why a start failed, and the remedy. */
    static StartupException atStart(MongoException failure, MongoTarget target) {
        if (cause(failure, MongoSecurityException.class) != null) {
            MongoCommandException said = cause(failure, MongoCommandException.class);
            return new StartupException(
                    "%s refuses user %s%s: check the user, the password in --mongodb-password-file or %s, and"
                                    .formatted(
                                            target,
                                            target.user(),
                                            said == null ? "" : words(said.getErrorMessage()),
                                            DocumentOptions.PASSWORD_VARIABLE)
                            + " authSource in the URL, the database that has the user",
                    failure);
        }
        if (failure.getCode() == UNAUTHORIZED) {
            return new StartupException(
                    target.user() == null
                            ? "%s wants a user: name one in the URL, mongodb://USER@HOST/DATABASE"
                                    .formatted(target)
                            : "%s does not let user %s make collections: give the user the role readWrite there"
                                    .formatted(target, target.user()),
                    failure);
        }
        if (isUnreachable(failure)) {
            return new StartupException(
                    "%s can't be reached%s: check host and port, and whether MongoDB runs there"
                            .formatted(target, words(reason(failure))),
                    failure);
        }
        String said =
                failure instanceof MongoCommandException command
                        ? command.getErrorMessage()
                        : failure instanceof MongoClientException ? failure.getMessage() : null;
        return new StartupException(
                "%s can't hold documents%s: check the URL, and what the user may do there"
                        .formatted(target, words(said)),
                failure);
    }

    private static String words(@Nullable String text) {
        String one = FirstSentence.one(text);
        return one.isEmpty() ? "" : " (" + one + ")";
    }

    /** Returns what the deepest exception says that the driver tells of a server, or else the failure itself. */
    private static String reason(MongoException failure) {
        String text = String.valueOf(failure.getMessage());
        Matcher cause = CAUSE.matcher(text);
        String reason = "";
        while (cause.find()) {
            reason =
                    (cause.group(1).endsWith("UnknownHostException") ? "unknown host " : "")
                            + cause.group(2);
        }
        if (!reason.isEmpty()) {
            return reason;
        }
        if (failure.getCause() != null) {
            return String.valueOf(failure.getCause().getMessage());
        }
        return failure instanceof MongoTimeoutException
                ? "no server that takes writes has answered in time; if the URL says tls or replicaSet, neither may fit"
                : text;
    }

    private static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> type) {
        Throwable each = failure;
        for (int depth = 0; each != null && depth < DEEPEST_CAUSE; depth++) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
            each = each.getCause();
        }
        return null;
    }
}
