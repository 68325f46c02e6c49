import type { StreamMessage, TallybookClient } from '@tallybook/client';
import type { ServiceEvent, StreamState } from '../state/service/service.js';

interface StreamListener {
  /** @param cursor Cursor of the event, after which a later stream can go on; `undefined` if it has none. */
  onEvent(event: ServiceEvent, cursor: string | undefined): void;
  /** @param sinceMs Since when, by the clock of the browser: for a loss, when the service was heard last. */
  onState(state: StreamState, sinceMs: number): void;
}

export interface OpenedStream {
  /** Opens a new connection at once. */
  reconnect(): void;
  /** Ends the stream. The listener is not called after that. */
  close(): void;
}

/**
 * Opens the event stream and keeps it open.
 *
 * @param cursor Cursor of the last known event: the events after it are sent first.
 */
export type OpenStream = (listener: StreamListener, cursor: string | undefined) => OpenedStream;

/** Longest silence of a sound connection, in milliseconds: the service sends at least a comment every 15 seconds. */
const SILENCE_MS = 20_000;

/** Streams from a service. */
export function streamOf(client: Pick<TallybookClient, 'streamEvents'>): OpenStream {
  return (listener, cursor) => {
    const ending = new AbortController();
    const stream = client.streamEvents({
      signal: ending.signal,
      silenceMs: SILENCE_MS,
      ...(cursor !== undefined && { lastEventId: cursor }),
    });
    void listen();
    return {
      reconnect: () => stream.reconnect(),
      close: () => ending.abort(),
    };

    async function listen(): Promise<void> {
      for await (const message of stream) {
        if (ending.signal.aborted) return;
        tell(message, listener);
      }
    }
  };
}

function tell(message: StreamMessage, listener: StreamListener): void {
  switch (message.kind) {
    case 'connection':
      listener.onState(message.state, message.since);
      break;
    case 'reset':
      listener.onEvent({ kind: 'reset' }, 'cursor' in message ? message.cursor : undefined);
      break;
    case 'day':
      listener.onEvent({ kind: 'day' }, message.cursor);
      break;
    case 'attendance':
      listener.onEvent({ kind: 'tap', tap: message.attendance }, message.cursor);
      break;
    case 'failed':
      listener.onEvent({ kind: 'tap', tap: { ...message.failed, outcome: 'failed' } }, message.cursor);
      break;
    case 'names':
      listener.onEvent({ kind: 'names' }, message.cursor);
      break;
    case 'scan':
      // Its `attendance` follows within milliseconds, with all data.
      break;
  }
}
