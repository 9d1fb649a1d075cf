/** Records with typed fields, generated from a database's schema or from a schema file. */
@org.jspecify.annotations.NullMarked
module dev.penstock.codegen {
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires dev.penstock.query;
    requires org.snakeyaml.engine;

    exports dev.penstock.codegen;
    exports dev.penstock.codegen.problem;
}
