package dev.penstock.documents.format;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.xml.security.Init;
import org.apache.xml.security.c14n.Canonicalizer;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Canonical XML 1.1 with comments, by the reference library. */
public final class Canonical {
    static {
        Init.init();
    }

    private Canonical() {}

    public static String of(String xml) throws Exception {
        return of(xml.getBytes(StandardCharsets.UTF_8));
    }

    /** The canonical form of characters, whatever encoding they declare. */
    public static String ofText(String xml) throws Exception {
        return of(new InputSource(new StringReader(xml)));
    }

    public static String of(byte[] xml) throws Exception {
        return of(new InputSource(new ByteArrayInputStream(xml)));
    }

    private static String of(InputSource xml) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
        factory.setNamespaceAware(true);
        factory.setAttribute("jdk.xml.maxGeneralEntitySizeLimit", "0");
        factory.setAttribute("jdk.xml.maxElementDepth", "0");
        DocumentBuilder builder = factory.newDocumentBuilder();
        builder.setErrorHandler(null);
        Document document = builder.parse(xml);
        Element root = document.getDocumentElement();
        if (!root.hasChildNodes()) {
            // Behind a root element without nodes the library forgets what follows it.
            root.appendChild(document.createTextNode(""));
        }
        ByteArrayOutputStream canonical = new ByteArrayOutputStream();
        Canonicalizer.getInstance(Canonicalizer.ALGO_ID_C14N11_WITH_COMMENTS)
                .canonicalizeSubtree(document, canonical);
        return canonical.toString(StandardCharsets.UTF_8);
    }
}
