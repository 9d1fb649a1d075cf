package dev.penstock.bench.documents;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The SHA-256 of what an XML document without namespaces says: its elements, attributes and texts, in order. */
final class XmlDigest {
    private XmlDigest() {}

    static String of(InputStream xml) throws XMLStreamException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        XMLStreamReader reader = Parsers.woodstox().createXMLStreamReader(xml);
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    add(digest, "<" + reader.getLocalName());
                    TreeMap<String, String> attributes = new TreeMap<>();
                    for (int i = 0; i < reader.getAttributeCount(); i++) {
                        attributes.put(
                                reader.getAttributeLocalName(i), reader.getAttributeValue(i));
                    }
                    add(digest, attributes.toString());
                }
                case XMLStreamConstants.CHARACTERS -> add(digest, "\"" + reader.getText());
                case XMLStreamConstants.END_ELEMENT -> add(digest, ">");
                default -> {}
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void add(MessageDigest digest, String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }
}
