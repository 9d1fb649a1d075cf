package dev.penstock.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Race;
import org.junit.jupiter.api.Test;

/** Tests of what one client may hold of the bytes that lie unread. */
final class UnreadBodiesTest {
    private final UnreadBodies unread = new UnreadBodies(4_000);

    @Test
    void shares_ofOneClient_areAQuarterTogether() {
        UnreadBodies.Share one = unread.new Share(1L);
        UnreadBodies.Share two = unread.new Share(1L);
        UnreadBodies.Share other = unread.new Share(2L);
        assertThat(one.set(600)).isTrue();
        assertThat(two.set(401)).isFalse();
        assertThat(two.set(400)).isTrue();
        assertThat(one.set(601)).isFalse();
        assertThat(other.set(1_000)).isTrue();
        assertThat(unread.bytes()).isEqualTo(2_000);
        two.end();
        assertThat(one.set(1_000)).isTrue();
        one.end();
        other.end();
        assertThat(unread.bytes()).isZero();
    }

    @Test
    void share_whereBodiesHaveTakenAllRoom_getsNothingAndKeepsWhatItHas() {
        UnreadBodies.Share share = unread.new Share(1L);
        assertThat(share.set(10)).isTrue();
        unread.add(3_991);
        assertThat(share.set(11)).isFalse();
        assertThat(share.set(9)).isTrue();
        share.end();
        assertThat(share.set(100)).as("after its end").isTrue();
        assertThat(unread.bytes()).isEqualTo(3_991);
    }

    @Test
    void body_isDropped_whereThereIsNoRoomForMore() {
        unread.add(4_000);
        assertThat(unread.removeUnlessRoom(1_000, 0)).isFalse();
        assertThat(unread.removeUnlessRoom(1_000, 1)).isTrue();
        assertThat(unread.removeUnlessRoom(1_000, 1_000)).isFalse();
        assertThat(unread.bytes()).isEqualTo(3_000);
    }

    @Test
    void shares_ofSeveralThreads_areTakenWhereOneHasRoom() throws Exception {
        Race.run(
                4,
                thread -> {
                    UnreadBodies.Share share = unread.new Share((long) (thread % 2));
                    for (int i = 0; i < 2_000; i++) {
                        assertThat(share.set(500)).isTrue();
                        assertThat(share.set(0)).isTrue();
                    }
                    share.end();
                });
        assertThat(unread.bytes()).isZero();
    }
}
