/** XML documents as JSON without loss, in JSON stores, found by XPath. */
@org.jspecify.annotations.NullMarked
module dev.penstock.documents {
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires java.xml;
    requires tools.jackson.core;
    requires com.ctc.wstx;
    requires org.jaxen;
    requires org.codehaus.stax2;
    requires static org.mongodb.bson;
    requires static org.mongodb.driver.core;
    requires static org.mongodb.driver.sync.client;

    exports dev.penstock.documents;
    exports dev.penstock.documents.collection;
    exports dev.penstock.documents.convert;
}
