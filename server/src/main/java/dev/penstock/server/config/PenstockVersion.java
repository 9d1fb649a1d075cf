package dev.penstock.server.config;

import picocli.CommandLine.IVersionProvider;

/** Which Penstock this is. */
public final class PenstockVersion implements IVersionProvider {
    /** The version, as the jar's manifest has it. */
    public static String text() {
        String version = PenstockVersion.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "Penstock " + text(), "Java " + System.getProperty("java.vm.version", "unknown")
        };
    }
}
