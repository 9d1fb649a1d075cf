package dev.penstock.service.thread;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** The platform thread on which an instance is made, called and stopped, one task after the other. Thread-safe. */
public final class InstanceThread {
    private final ExecutorService thread;
    private final boolean shared;

    InstanceThread(ExecutorService thread, boolean shared) {
        this.thread = thread;
        this.shared = shared;
    }

    /** Runs a task after those that the thread was given before. */
    public void execute(Runnable task) {
        thread.execute(task);
    }

    /** Runs a task and waits for its end; an interrupt meanwhile interrupts the task, and the flag is set again. */
    public void executeAndWait(Runnable task) {
        Waited waited = new Waited(task);
        thread.execute(waited);
        waited.await();
    }

    /** Ends the thread after the tasks that it has been given, unless other instances share it. */
    public void end() {
        if (!shared) {
            thread.shutdown();
        }
    }

    /** A task that another thread waits for. */
    private static final class Waited implements Runnable {
        private final Runnable task;
        private final CountDownLatch done = new CountDownLatch(1);
        private @Nullable Thread runner;

        Waited(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            setRunner(Thread.currentThread());
            try {
                task.run();
            } finally {
                setRunner(null);
                done.countDown();
            }
        }

        private synchronized void setRunner(@Nullable Thread thread) {
            runner = thread;
        }

        /** Does nothing unless the task runs, so that no later task of the thread gets the interrupt. */
        private synchronized void interrupt() {
            if (runner != null) {
                runner.interrupt();
            }
        }

        void await() {
            boolean interrupted = false;
            while (done.getCount() > 0) {
                try {
                    done.await();
                } catch (InterruptedException _) {
                    interrupted = true;
                    interrupt();
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
