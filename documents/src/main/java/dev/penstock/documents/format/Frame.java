package dev.penstock.documents.format;

import dev.penstock.documents.buffer.Rope;
import dev.penstock.documents.buffer.Scratch;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An element that is open while XML becomes JSON: its attributes, the values of its keys, and their order. */
final class Frame {
    private static final int SEARCHED_ONE_BY_ONE = 8;
    private static final int SLOT_COST = 200;

    /** The white space that is known of an element so far. */
    enum Gaps {
        UNKNOWN,
        /** All of it is the document's indentation. */
        REGULAR,
        /** There is none, or the order has it. */
        EXPLICIT
    }

    final Scratch scratch;
    final Rope attributes;
    final Order order;
    int depth;
    @Nullable Slot own;
    @Nullable ForcedArrays forced;
    Gaps gaps = Gaps.UNKNOWN;
    boolean hasText;

    /** Whether anything stands between the last node that is no text and here. */
    boolean textInGap;

    /** Whether its value goes directly to the output, and whether its beginning is there. */
    boolean direct;

    boolean begun;
    @Nullable Slot directSlot;

    Slot[] slots = new Slot[2];
    int slotCount;
    private int slotsMade;
    private @Nullable Slot last;
    private @Nullable Map<Key, Slot> byKey;

    Frame(Scratch scratch) {
        this.scratch = scratch;
        this.attributes = new Rope(scratch);
        this.order = new Order(scratch);
    }

    void reset(@Nullable Slot inParent, int atDepth, boolean isDirect) {
        own = inParent;
        depth = atDepth;
        direct = isDirect;
        begun = false;
        directSlot = null;
        forced = null;
        gaps = Gaps.UNKNOWN;
        hasText = false;
        textInGap = false;
        slotCount = 0;
        last = null;
        byKey = null;
        attributes.clear();
        order.clear();
    }

    boolean hasAttributes() {
        return attributes.size() > 0;
    }

    /** Counts a node under a key, and begins to record the order as soon as it is not the default one. */
    Slot node(Key key) {
        Slot latest = last;
        if (latest != null && latest.key == key) {
            latest.count++;
            order.node(key);
            return latest;
        }
        Slot slot = find(key);
        boolean isDefault = slot == null && (latest == null || latest.key.compareTo(key) < 0);
        if (!isDefault) {
            recordOrder();
        }
        if (slot == null) {
            slot = add(key);
        }
        slot.count++;
        order.node(key);
        last = slot;
        return slot;
    }

    /** Begins to record the order: until now it has been the default one. */
    void recordOrder() {
        if (order.isRecorded()) {
            return;
        }
        order.begin(gaps == Gaps.REGULAR);
        for (int i = 0; i < slotCount; i++) {
            order.nodes(slots[i].key, slots[i].count);
        }
    }

    private @Nullable Slot find(Key key) {
        if (byKey != null) {
            return byKey.get(key);
        }
        for (int i = 0; i < slotCount; i++) {
            if (slots[i].key == key) {
                return slots[i];
            }
        }
        return null;
    }

    private Slot add(Key key) {
        if (slotCount == slots.length) {
            slots = java.util.Arrays.copyOf(slots, slotCount * 2);
        }
        if (slotCount == slotsMade) {
            slots[slotsMade++] = new Slot(key, scratch);
            scratch.hold(SLOT_COST);
        }
        Slot slot = slots[slotCount++];
        ForcedArrays path = forced == null ? null : forced.child(key.stored);
        slot.reset(key, path != null && path.isForced());
        if (byKey != null) {
            byKey.put(key, slot);
        } else if (slotCount > SEARCHED_ONE_BY_ONE) {
            byKey = new HashMap<>();
            for (int i = 0; i < slotCount; i++) {
                byKey.put(slots[i].key, slots[i]);
            }
        }
        return slot;
    }

    /** Moves what is longer than this into the temporary file. */
    void spill(int least) {
        for (int i = 0; i < slotCount; i++) {
            if (slots[i].values.inMemory() > least) {
                slots[i].values.spill();
            }
        }
        order.spill(least);
    }

    /** Gives back all memory of a frame that is not in use. */
    void release() {
        for (int i = 0; i < slotsMade; i++) {
            slots[i].values.release();
            scratch.hold(-SLOT_COST);
        }
        attributes.clear();
        attributes.release();
        order.clear();
        order.release();
    }
}
