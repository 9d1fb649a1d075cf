@org.jspecify.annotations.NullMarked
package dev.penstock.documents.store.jdbc;
