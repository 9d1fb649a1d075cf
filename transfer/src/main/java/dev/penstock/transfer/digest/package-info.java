/**
 * Digests of bodies, and the headers that carry them.
 *
 * <p>A {@link dev.penstock.transfer.digest.Digest} takes bytes as they pass by, and is done with one value. What a
 * client says the value must be is an {@link dev.penstock.transfer.digest.ExpectedDigest}. Two notations lead to it:
 * {@link dev.penstock.transfer.digest.DigestField} is that of RFC 9530 ({@code Content-Digest}, {@code Repr-Digest} and
 * the fields that ask for them), {@link dev.penstock.transfer.digest.UploadChecksum} that of tus 1.0.0. Each algorithm
 * has its name in both ({@link dev.penstock.transfer.digest.DigestAlgorithm}).
 *
 * <p>Invariants: a notation is read strictly, and what is malformed is an error, never a digest that was not checked;
 * algorithms that are not known here are left out, as the RFC has it, so that a client may offer several. A value has
 * the length of its algorithm before it is compared, and is compared in constant time.
 *
 * <p>Begin with {@code DigestField}.
 */
@NullMarked
package dev.penstock.transfer.digest;

import org.jspecify.annotations.NullMarked;
