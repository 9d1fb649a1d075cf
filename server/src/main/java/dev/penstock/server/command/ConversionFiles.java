package dev.penstock.server.command;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.Profile;
import dev.penstock.documents.convert.Converter;
import dev.penstock.server.config.StartupException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** The input of a conversion, a file or the standard input; the result goes to the standard output. */
final class ConversionFiles {
    private static final String STANDARD_INPUT = "-";

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "What to convert; - for the standard input.")
    private String file = "";

    /** A conversion of one stream to another. */
    @FunctionalInterface
    interface Conversion {
        void convert(InputStream input, OutputStream output);
    }

    static Converter converter(Profile profile) {
        return switch (profile) {
            case EXACT -> Converter.exact();
            case PLAIN -> Converter.plain();
        };
    }

    /**
     * Converts all of it.
     *
     * @throws StartupException if it can't be read, converted or written, with the cause in a sentence
     */
    int convert(Conversion conversion) {
        try (InputStream input = open();
                OutputStream output =
                        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out))) {
            conversion.convert(input, output);
            return 0;
        } catch (DocumentException e) {
            throw new StartupException(name() + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new StartupException("The result can't be written: " + e.getMessage(), e);
        }
    }

    private InputStream open() {
        if (file.equals(STANDARD_INPUT)) {
            return new FileInputStream(FileDescriptor.in);
        }
        try {
            return Files.newInputStream(Path.of(file));
        } catch (IOException | InvalidPathException e) {
            throw new StartupException(
                    file + " can't be read: name a file that is there, or - for the standard input",
                    e);
        }
    }

    private String name() {
        return file.equals(STANDARD_INPUT) ? "The standard input" : file;
    }
}
