package dev.penstock.server.documents;

import com.mongodb.event.ClusterClosedEvent;
import com.mongodb.event.ClusterDescriptionChangedEvent;
import com.mongodb.event.ClusterListener;

/** A listener that logs when MongoDB can't be reached any more, and when it can again. Thread-safe. */
final class MongoReachability implements ClusterListener {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");

    // Guarded by this object.
    private boolean isReached;
    private boolean wasReached;
    private boolean silent = true;

    /** Begins to log. Until then, whoever starts the server is told what is wrong. */
    synchronized void begin() {
        silent = false;
    }

    @Override
    public synchronized void clusterDescriptionChanged(ClusterDescriptionChangedEvent event) {
        boolean now = event.getNewDescription().hasWritableServer();
        if (now == isReached) {
            return;
        }
        isReached = now;
        if (silent) {
            wasReached = true;
        } else if (!now) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "MongoDB can't be reached: requests for documents are answered with 503 until it can");
        } else if (wasReached) {
            LOG.log(System.Logger.Level.INFO, "MongoDB can be reached again");
        }
        wasReached = true;
    }

    @Override
    public synchronized void clusterClosed(ClusterClosedEvent event) {
        silent = true;
    }
}
