package dev.penstock.follow.binlog;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.TreeMap;

/**
 * The last transaction of each replication domain before some place in the log. Two logs that agree on it at the same
 * place are the same log up to there: so a log that was begun anew, or is of another server, is recognised.
 *
 * @param last the last global transaction identifiers, {@code domain-server-sequence}, by domain
 */
public record GtidPosition(Map<Long, String> last) {
    public GtidPosition {
        last = Map.copyOf(last);
    }

    /**
     * Reads what MariaDB writes, such as {@code 0-1-100,1-2-7}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static GtidPosition of(String text) {
        Map<Long, String> last = new TreeMap<>();
        for (String each : requireNonNull(text).split(",", -1)) {
            String gtid = each.strip();
            if (gtid.matches("[0-9]{1,10}-[0-9]{1,10}-[0-9]{1,20}")) {
                last.put(Long.valueOf(gtid.substring(0, gtid.indexOf('-'))), gtid);
            } else if (!text.isBlank()) {
                throw new IllegalArgumentException("\"" + text + "\" is no list of GTIDs");
            }
        }
        return new GtidPosition(last);
    }

    /** Returns the position after one more transaction. */
    GtidPosition after(Gtid gtid) {
        Map<Long, String> next = new TreeMap<>(last);
        next.put(gtid.domain(), gtid.toString());
        return new GtidPosition(next);
    }

    @Override
    public String toString() {
        return String.join(",", new TreeMap<>(last).values());
    }

    /**
     * The identifier of a transaction.
     *
     * @param domain of replication
     * @param server where it was first committed
     * @param sequence its number in the domain, unsigned
     */
    record Gtid(long domain, long server, long sequence) {
        @Override
        public String toString() {
            return domain + "-" + server + "-" + Long.toUnsignedString(sequence);
        }
    }
}
