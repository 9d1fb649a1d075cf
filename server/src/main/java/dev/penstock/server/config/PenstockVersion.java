package dev.penstock.server.config;

import picocli.CommandLine.IVersionProvider;

/** The version of this program. */
public final class PenstockVersion implements IVersionProvider {
    /** Returns the version, as the jar's manifest has it. */
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
