package dev.penstock.bench.documents;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;

/** The parsers of XML that are measured, coalescing texts and without DTDs, and the writers that belong to them. */
final class Parsers {
    private static final String WOODSTOX = "com.ctc.wstx.stax.WstxInputFactory";
    private static final String AALTO = "com.fasterxml.aalto.stax.InputFactoryImpl";

    private Parsers() {}

    static XMLInputFactory woodstox() {
        return inputs(WOODSTOX);
    }

    static XMLOutputFactory woodstoxOutputs() {
        return outputs("com.ctc.wstx.stax.WstxOutputFactory");
    }

    static XMLInputFactory aalto() {
        return inputs(AALTO);
    }

    static XMLOutputFactory aaltoOutputs() {
        return outputs("com.fasterxml.aalto.stax.OutputFactoryImpl");
    }

    static XMLInputFactory jdk() {
        return configured(XMLInputFactory.newDefaultFactory());
    }

    private static XMLInputFactory inputs(String name) {
        return configured(XMLInputFactory.class.cast(make(name)));
    }

    private static XMLOutputFactory outputs(String name) {
        return XMLOutputFactory.class.cast(make(name));
    }

    /** By name, since the classes have annotations whose types are in no jar, of which the compiler would warn. */
    private static Object make(String name) {
        try {
            return Class.forName(name).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static XMLInputFactory configured(XMLInputFactory inputs) {
        inputs.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        inputs.setProperty(XMLInputFactory.IS_COALESCING, true);
        return inputs;
    }
}
