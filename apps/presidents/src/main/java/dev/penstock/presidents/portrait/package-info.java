/** The drawing of the pictures; it knows nothing of the rest. */
package dev.penstock.presidents.portrait;
