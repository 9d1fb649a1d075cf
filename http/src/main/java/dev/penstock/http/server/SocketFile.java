package dev.penstock.http.server;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A Unix domain socket that listens, and its file. The socket is made in a directory that only this user can enter, has
 * its permissions set there, and is then moved to its place: so nobody connects who may not, and what was left of an
 * earlier process is replaced in one step. For one thread.
 */
final class SocketFile {
    static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private static final int NAME_DIGITS = 6;

    /** The bits of a file's mode that say what it is ({@code S_IFMT}), and what they are for a socket. */
    private static final int FILE_TYPE = 0xf000;

    private static final int SOCKET = 0xc000;

    private final Path path;
    private final ServerSocketChannel channel;

    /** What tells the file from others in its place; null where the file system does not say. */
    private final @Nullable Object identity;

    private SocketFile(Path path, ServerSocketChannel channel, @Nullable Object identity) {
        this.path = path;
        this.channel = channel;
        this.identity = identity;
    }

    /**
     * Makes the socket, and has it listen.
     *
     * @param permissions of the file; where the file system has none, they must be {@link #OWNER_ONLY} and are left out
     * @param backlog how many connections may wait to be accepted
     * @throws IOException that says what is in the way
     */
    static SocketFile open(Path path, Set<PosixFilePermission> permissions, int backlog)
            throws IOException {
        Path place = path.toAbsolutePath();
        Path parent = place.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new IOException("there is no directory " + parent);
        }
        requireFree(place);
        Path apart = directoryApart(parent);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            // No shorter than its place, so that what is too long for that is refused here.
            Path made = apart.resolve(String.valueOf(place.getFileName()));
            bind(channel, made, backlog);
            try {
                setPermissions(made, permissions);
                Files.move(made, place, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException failure) {
                Files.deleteIfExists(made);
                throw failure;
            }
            return new SocketFile(place, channel, identity(place));
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        } finally {
            Files.deleteIfExists(apart);
        }
    }

    /** With a short name, as the paths of sockets are limited. */
    private static Path directoryApart(Path parent) throws IOException {
        int number = ThreadLocalRandom.current().nextInt(1 << 24);
        Path apart = parent.resolve("." + HexFormat.of().toHexDigits(number, NAME_DIGITS));
        try {
            return Files.getFileAttributeView(parent, PosixFileAttributeView.class) == null
                    ? Files.createDirectory(apart)
                    : Files.createDirectory(
                            apart,
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rwx------")));
        } catch (AccessDeniedException failure) {
            throw new IOException("this user may not make files in " + parent, failure);
        }
    }

    private static void bind(ServerSocketChannel channel, Path made, int backlog)
            throws IOException {
        try {
            channel.bind(UnixDomainSocketAddress.of(made), backlog);
        } catch (IOException failure) {
            String why = String.valueOf(failure.getMessage());
            throw why.contains("too long")
                    ? new IOException(
                            "its path is too long: operating systems take about 100 characters, of"
                                    + " which 8 are needed while it is made",
                            failure)
                    : failure;
        }
    }

    private static void setPermissions(Path made, Set<PosixFilePermission> permissions)
            throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(made, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(permissions);
        } else if (!permissions.equals(OWNER_ONLY)) {
            throw new IOException(
                    "this file system has no permissions like "
                            + PosixFilePermissions.toString(permissions));
        }
    }

    /** Sees that nobody listens at the path, and that what is there, if anything, is a socket's file. */
    private static void requireFree(Path path) throws IOException {
        try {
            BasicFileAttributes known =
                    Files.readAttributes(
                            path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!known.isOther() || !isSocket(path)) {
                throw new IOException(
                        "what is there is no socket, and is not replaced: delete it yourself");
            }
        } catch (NoSuchFileException _) {
            return;
        }
        try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // Connected or not: nobody but a process that listens has anybody wait.
            client.configureBlocking(false);
            var _ = client.connect(UnixDomainSocketAddress.of(path));
            throw new IOException("another process listens there");
        } catch (ConnectException _) {
            // What an earlier process has left.
        }
    }

    /** Tells a socket from a pipe or a device, where the operating system has these as files. */
    private static boolean isSocket(Path path) throws IOException {
        try {
            return Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS)
                            instanceof Integer mode
                    && (mode & FILE_TYPE) == SOCKET;
        } catch (UnsupportedOperationException | IllegalArgumentException _) {
            return true;
        }
    }

    private static @Nullable Object identity(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    Path path() {
        return path;
    }

    ServerSocketChannel channel() {
        return channel;
    }

    /** Deletes the file, unless another is in its place by now. To be called before the socket is closed. */
    void delete() {
        try {
            Object found = identity(path);
            if (found == null || found.equals(identity)) {
                Files.deleteIfExists(path);
            }
        } catch (IOException _) {
            // It is not there any more, or its directory is not: nothing is left to do.
        }
    }
}
