package dev.penstock.bench.transfer.peer;

import dev.penstock.bench.child.Child;
import java.io.IOException;

/** A running tus server, in a process of its own. Closing ends it. For one thread. */
sealed interface TusServer extends AutoCloseable {
    int port();

    /** The path at which uploads are created. */
    String path();

    /** The processor time that it has used so far. */
    long processorNanos() throws IOException;

    /** The most resident memory that it has had. */
    long peakResidentBytes() throws IOException;

    @Override
    void close();

    /**
     * One in a JVM.
     *
     * @param child whose object is the server's port
     */
    record Java(String name, Child<Integer> child, int port, String path) implements TusServer {
        @Override
        public long processorNanos() throws IOException {
            return child.threads().processorNanos();
        }

        @Override
        public long peakResidentBytes() throws IOException {
            return child.peakResidentBytes();
        }

        @Override
        public void close() {
            child.close();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Another program. */
    record Program(String name, ServerProcess process, String path) implements TusServer {
        @Override
        public int port() {
            return process.port();
        }

        @Override
        public long processorNanos() {
            return process.processorNanos();
        }

        @Override
        public long peakResidentBytes() throws IOException {
            return process.peakResidentBytes();
        }

        @Override
        public void close() {
            process.close();
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
