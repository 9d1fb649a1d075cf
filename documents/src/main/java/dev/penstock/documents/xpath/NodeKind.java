package dev.penstock.documents.xpath;

/** The kind of a node in the data model of XPath 1.0. */
public enum NodeKind {
    DOCUMENT,
    ELEMENT,
    ATTRIBUTE,
    NAMESPACE,
    TEXT,
    COMMENT,
    PROCESSING_INSTRUCTION
}
