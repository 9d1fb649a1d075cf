/** Bounded pools of service instances, each used by one call at a time. */
@org.jspecify.annotations.NullMarked
module dev.penstock.service {
    requires static transitive org.jspecify;

    exports dev.penstock.service;
}
