/**
 * The IETF draft of resumable uploads (draft-ietf-httpbis-resumable-upload), in the interop versions that are in use.
 *
 * <p>{@link dev.penstock.transfer.draft.DraftProtocol} answers the requests: POST and PUT create an upload, with all of
 * its bytes or the first of them; HEAD asks how far it is; PATCH appends; DELETE ends it. What a request says is read
 * once, into a {@code DraftRequest}. A client says in {@code Upload-Draft-Interop-Version} which text it was written
 * by; what differs between the texts is in {@link dev.penstock.transfer.draft.DraftVersion}, and nowhere else. Failures
 * become problem documents in {@code DraftProblems}.
 *
 * <p>The life of an upload: it is created in the store, and a client of a known version is told at once where it is
 * (104), so that it can go on there whatever happens. While bytes come, {@code DraftProgress} tells how many are safe.
 * A request for an upload whose older request still runs ends that one first, also one that only asks, since the answer
 * must hold until the client goes on.
 *
 * <p>Invariants: an offset is told only when the store promises to keep it. A request that is refused changes nothing.
 * An upload that was created with {@code Repr-Digest} is complete only when all of it has that digest ({@link
 * dev.penstock.transfer.draft.RepresentationDigest}).
 *
 * <p>Begin with {@code DraftProtocol}.
 */
@NullMarked
package dev.penstock.transfer.draft;

import org.jspecify.annotations.NullMarked;
