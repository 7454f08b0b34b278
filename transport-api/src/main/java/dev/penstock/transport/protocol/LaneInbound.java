package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;

/** Takes the peer's frames of a trusted connection to the flow that each is for. */
final class LaneInbound implements Frames {
  private final LaneCore lane;

  LaneInbound(LaneCore lane) {
    this.lane = lane;
  }

  private Channels channels() {
    return lane.channels();
  }

  @Override
  public void hello(Hello hello) {
    violate("HELLO after the handshake");
  }

  @Override
  public void welcome(Welcome welcome) {
    violate("WELCOME after the handshake");
  }

  @Override
  public void proof(Octets proof) {
    violate("PROOF after the handshake");
  }

  @Override
  public void open(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    if (!lane.isConnected()) {
      return;
    }
    Flow flow = channels().get(channel);
    ChannelKey key = new ChannelKey(exchange, producer, consumer, attempt);
    boolean peers = channels().numbers().isPeers(channel);
    if (flow == null && peers && channels().numbers().isNew(channel)) {
      WaitingFlow opened = channels().peers().opened(channel, role.opposite(), key);
      opened.onPeerState(position, sequence, backlog, consumed, limit, floor);
      lane.peerOpens(opened);
    } else if (flow == null && peers) {
      if (!lane.peerIsReady()) {
        lane.peerRestated();
      }
      lane.stats().framesDropped++;
    } else if (flow == null || flow.opener || lane.peerIsReady()) {
      violate(
          "OPEN of channel number "
              + Integer.toUnsignedString(channel)
              + ", which is not the peer's to open");
    } else {
      restate(flow, role, key, position, sequence, backlog, consumed, limit, floor);
    }
  }

  @Override
  public void opened(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    if (!lane.isConnected()) {
      return;
    }
    Flow flow = channels().get(channel);
    ChannelKey key = new ChannelKey(exchange, producer, consumer, attempt);
    if (flow == null && channels().numbers().isUsed(channel)) {
      if (!lane.peerIsReady()) {
        lane.peerRestated();
      }
      lane.stats().framesDropped++;
    } else if (flow == null || !flow.opener || (lane.peerIsReady() && flow.expectsRestating())) {
      violate(
          "OPENED of channel number "
              + Integer.toUnsignedString(channel)
              + ", which is not waiting for it");
    } else {
      restate(flow, role, key, position, sequence, backlog, consumed, limit, floor);
    }
  }

  private void restate(
      Flow flow,
      Role role,
      ChannelKey key,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    boolean again = flow.restated && !lane.peerIsReady();
    if (flow.role() == role || !flow.key.equals(key) || again) {
      violate(
          "channel " + flow.key + " restated as " + key + ", by the " + role + ", again: " + again);
      return;
    }
    if (!lane.peerIsReady()) {
      lane.peerRestated();
      flow.restated = true;
    }
    flow.onPeerState(position, sequence, backlog, consumed, limit, floor);
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    if (lane.isConnected()) {
      lane.peerReady(liveChannels, draining);
    }
  }

  @Override
  public void data(
      int channel,
      long position,
      long sequence,
      int messages,
      int flags,
      int uncompressedLength,
      long backlog,
      int payloadLength,
      int payloadCrc) {
    Flow flow = channels().get(channel);
    if (flow instanceof ReceiveFlow receive && lane.isUp()) {
      receive.onData(
          position,
          sequence,
          messages,
          flags,
          uncompressedLength,
          backlog,
          payloadLength,
          payloadCrc);
    } else {
      unexpected("DATA", channel, flow);
    }
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    Flow flow = channels().get(channel);
    if (flow instanceof ReceiveFlow receive && lane.isUp()) {
      receive.onDemand(position, backlog);
    } else {
      unexpected("DEMAND", channel, flow);
    }
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    Flow flow = channels().get(channel);
    if (flow instanceof SendFlow send && lane.isUp()) {
      send.onCredit(received, consumed, limit);
    } else {
      unexpected("CREDIT", channel, flow);
    }
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    Flow flow = channels().get(channel);
    if (flow instanceof ReceiveFlow receive && lane.isUp()) {
      receive.onFinish(position, sequence);
    } else {
      unexpected("FINISH", channel, flow);
    }
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    Flow flow = channels().get(channel);
    if (!lane.isConnected()) {
      return;
    }
    if (flow instanceof SendFlow send) {
      send.restated = true;
      send.onFinishAck(position, sequence);
    } else if (flow == null && channels().numbers().isUsed(channel)) {
      lane.answerClosed(channel);
    } else {
      unexpected("FINISH_ACK", channel, flow);
    }
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    if (!lane.isConnected()) {
      return;
    }
    Flow flow = channels().get(channel);
    if (flow != null) {
      flow.restated = true;
      flow.onReset(code, text);
    } else {
      if (!channels().numbers().isUsed(channel)) {
        if (!channels().numbers().isPeers(channel)) {
          violate(
              "RESET of channel number "
                  + Integer.toUnsignedString(channel)
                  + ", which was never opened");
          return;
        }
        channels().numbers().used(channel);
      }
      lane.answerClosed(channel);
    }
  }

  @Override
  public void closed(int channel) {
    Flow flow = channels().get(channel);
    if (flow != null && flow.terminal() && lane.isUp()) {
      flow.onClosed();
    } else {
      unexpected("CLOSED", channel, flow);
    }
  }

  @Override
  public void ping(long value) {
    lane.peerPings(value);
  }

  @Override
  public void pong(long value) {
    if (lane.isConnected()) {
      lane.peerPongs();
    }
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    if (lane.isConnected()) {
      lane.peerGoesAway(code, text, draining);
    }
  }

  /**
   * A frame that its channel does not take: dropped when the channel is over, a violation
   * otherwise.
   */
  private void unexpected(String kind, int channel, Flow flow) {
    if (!lane.isConnected()) {
      return;
    }
    boolean over = flow == null ? channels().numbers().isUsed(channel) : flow.terminal();
    if (over && lane.isUp()) {
      lane.stats().framesDropped++;
    } else {
      violate(
          kind
              + " on channel number "
              + Integer.toUnsignedString(channel)
              + (flow == null
                  ? ", which was never opened"
                  : " (" + flow.key + "), which cannot take it now"));
    }
  }

  private void violate(String text) {
    if (lane.isConnected()) {
      lane.violate(ErrorCode.PROTOCOL_VIOLATION, text);
    }
  }
}
