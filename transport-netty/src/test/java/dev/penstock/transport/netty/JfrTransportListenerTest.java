package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.TransportListener.Direction;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JfrTransportListenerTest {
  @Test
  void shouldRecordWhatHappensAndPassItOn(@TempDir Path directory) throws Exception {
    List<ChannelKey> passedOn = new ArrayList<>();
    JfrTransportListener listener =
        new JfrTransportListener(
            new TransportListener() {
              @Override
              public void onChannelStalled(ChannelKey channel, long waitingBytes) {
                passedOn.add(channel);
              }
            });
    ChannelKey key = new ChannelKey(1, 2, 3, 4);
    Path file = directory.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("dev.penstock.Lane");
      recording.enable("dev.penstock.Channel");
      recording.start();
      listener.onLaneBroken(new InetSocketAddress(1), 2, ErrorCode.PEER_SILENT, "quiet");
      listener.onChannelOpened(key, Direction.OUTPUT);
      listener.onChannelStalled(key, 42);
      recording.stop();
      recording.dump(file);
    }
    assertThat(passedOn).containsExactly(key);
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    assertThat(events)
        .extracting(event -> event.getString("what"))
        .contains("broken", "opened", "stalled");
    assertThat(Files.size(file)).isPositive();
  }
}
