package dev.penstock.server.config;

/** A database to connect to. Its text is its address without a password. */
public sealed interface DatabaseTarget permits JdbcTarget, MongoTarget {}
