package dev.penstock.documents.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.convert.Converter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.xml.sax.SAXException;

/** The XML files in the libraries on the class path, and what they become. */
class CorpusTest {
    private static Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!path.endsWith(".jar")) {
                continue;
            }
            try (ZipFile jar = new ZipFile(path)) {
                for (ZipEntry entry : jar.stream().toList()) {
                    if (entry.getName().matches(".*\\.(xml|xsd|xsl|xslt|rng)")) {
                        byte[] bytes = jar.getInputStream(entry).readAllBytes();
                        files.put(path + "!" + entry.getName(), bytes);
                    }
                }
            }
        }
        return files;
    }

    /** Returns the canonical form, or null for what has a DTD or is not well-formed in its namespaces. */
    private static @Nullable String canonical(byte[] xml) throws Exception {
        if (new String(xml, StandardCharsets.ISO_8859_1).contains("<!DOCTYPE")) {
            return null;
        }
        try {
            return Canonical.of(xml);
        } catch (SAXException e) {
            return null;
        }
    }

    @Test
    void roundTrip_filesOfLibraries_areCanonicallyEqual() throws Exception {
        int converted = 0;
        for (Map.Entry<String, byte[]> file : files().entrySet()) {
            byte[] xml = file.getValue();
            String canonical = canonical(xml);
            if (canonical == null) {
                continue;
            }
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            ByteArrayOutputStream back = new ByteArrayOutputStream();
            Converter.exact().toJson(new ByteArrayInputStream(xml), json);
            byte[] stored = JsonText.reordered(json.toByteArray(), java.util.Collections::reverse);
            Converter.exact().toXml(new ByteArrayInputStream(stored), back);
            assertThat(Canonical.of(back.toByteArray())).as(file.getKey()).isEqualTo(canonical);
            converted++;
        }
        assertThat(converted).isGreaterThan(5);
    }
}
