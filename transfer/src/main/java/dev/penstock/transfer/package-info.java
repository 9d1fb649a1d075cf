/**
 * Uploads of any size, resumable, as an application mounts them on its server.
 */
@NullMarked
package dev.penstock.transfer;

import org.jspecify.annotations.NullMarked;
