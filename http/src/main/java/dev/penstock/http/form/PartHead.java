package dev.penstock.http.form;

import dev.penstock.http.HttpException;
import dev.penstock.http.message.HeaderParameters;
import dev.penstock.http.message.PercentEncoding;
import dev.penstock.http.message.Syntax;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of a part of a form (RFC 7578, section 4): its name, the name of its file, its media type.
 *
 * @param name of the field
 * @param fileName the last segment of what the client calls the file; null where the part is none
 * @param contentType as it was sent; null where it was not
 */
record PartHead(String name, @Nullable String fileName, @Nullable String contentType) {
    private static final int MOST_LINES = 16;

    /** More than one, so that none is left when one is taken away. */
    private static final Pattern DRIVES = Pattern.compile("^([A-Za-z]:)+");

    /** Reads a head up to and with the empty line at its end. */
    static PartHead read(BoundaryReader reader, MultipartLimits limits) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        int left = limits.headBytes();
        while (true) {
            BoundaryReader.Line line = reader.line(left);
            left -= line.bytes();
            if (line.text().isEmpty()) {
                return of(fields, limits);
            }
            if (left < 0 || fields.size() == MOST_LINES) {
                throw new HttpException(
                        413,
                        "The head of a part has more than %d bytes or %d lines"
                                .formatted(limits.headBytes(), MOST_LINES));
            }
            addField(line.text(), fields);
        }
    }

    private static void addField(String line, Map<String, String> fields) {
        int colon = line.indexOf(':');
        String name = colon < 0 ? "" : line.substring(0, colon).toLowerCase(Locale.ROOT);
        if (!Syntax.isToken(name)) {
            throw new HttpException(
                    400, "A line in the head of a part is no header: " + Syntax.printable(line));
        }
        if (hasControl(line)) {
            throw new HttpException(
                    400, "The header %s of a part has a control character".formatted(name));
        }
        if (fields.put(name, line.substring(colon + 1).strip()) != null) {
            throw new HttpException(400, "A part has the header " + name + " twice");
        }
    }

    private static PartHead of(Map<String, String> fields, MultipartLimits limits) {
        String encoding = fields.getOrDefault("content-transfer-encoding", "binary");
        if (!encoding.equalsIgnoreCase("binary")
                && !encoding.equalsIgnoreCase("8bit")
                && !encoding.equalsIgnoreCase("7bit")) {
            throw new HttpException(
                    400,
                    "A part has the Content-Transfer-Encoding %s; send it as it is (RFC 7578, section 4.7)"
                            .formatted(Syntax.printable(encoding)));
        }
        String disposition = fields.get("content-disposition");
        if (disposition == null) {
            throw new HttpException(
                    400, "A part has no Content-Disposition, which would say its name");
        }
        HeaderParameters parameters = Multipart.parameters(disposition);
        String name = parameters.get("name");
        if (!parameters.value().equalsIgnoreCase("form-data") || name == null) {
            throw new HttpException(
                    400,
                    "The Content-Disposition of a part is not form-data with a name: "
                            + Syntax.sentence(disposition));
        }
        name = unescaped(name);
        checkName("The name of a part", name, limits);
        return new PartHead(name, fileName(parameters, limits), fields.get("content-type"));
    }

    /** The name of the file without the folders and the drive before it, which some clients send. */
    private static @Nullable String fileName(HeaderParameters parameters, MultipartLimits limits) {
        String sent = parameters.get("filename");
        String extended = parameters.get("filename*");
        if (sent == null && extended == null) {
            return null;
        }
        String path = extended != null ? decoded(extended) : unescaped(sent);
        checkName("The file name of a part", path, limits);
        String last = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        last = DRIVES.matcher(last).replaceFirst("");
        return last.equals(".") || last.equals("..") ? "" : last;
    }

    /** Escapes that browsers use in names (the HTML standard, "multipart form data"). */
    private static String unescaped(@Nullable String name) {
        return name == null
                ? ""
                : name.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
    }

    /** A value with a character set and percent-encoding (RFC 8187), as some clients send beyond ASCII. */
    private static String decoded(String extended) {
        int language = extended.indexOf('\'');
        int text = extended.indexOf('\'', language + 1);
        if (language < 0
                || text < 0
                || !extended.substring(0, language).equalsIgnoreCase("utf-8")) {
            throw new HttpException(
                    400, "The filename* of a part is not in UTF-8 as RFC 8187 has it");
        }
        try {
            return PercentEncoding.decode(
                    extended.substring(text + 1), false, "filename* of a part", 0);
        } catch (PercentEncoding.Malformed e) {
            throw new HttpException(400, e.problem(), e);
        }
    }

    private static void checkName(String what, String name, MultipartLimits limits) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > limits.nameBytes()) {
            throw new HttpException(
                    413,
                    "%s has %d bytes; the limit is %d".formatted(what, bytes, limits.nameBytes()));
        }
        if (hasControl(name) || name.indexOf('\t') >= 0) {
            throw new HttpException(400, what + " has a control character");
        }
    }

    /** Returns whether there is one other than a tab, which headers may have. */
    private static boolean hasControl(String text) {
        return text.chars().anyMatch(c -> c != '\t' && Character.isISOControl(c));
    }
}
