/** A received event, with the fields of the format of server-sent events. */
export interface ServerSentEvent {
  readonly type: string;
  readonly data: string;
}

/**
 * Parses a stream of server-sent events, as the HTML standard says. Comments, which only keep the connection alive, are
 * dropped.
 */
export class EventParser {
  /** The id of the latest event that has one. */
  lastEventId: string | undefined;
  /** Milliseconds that the service asks to wait before the stream is opened again. */
  retryMs: number | undefined;
  private readonly decoder = new TextDecoder();
  private rest = '';
  private type = '';
  private id: string | undefined;
  private data: string[] = [];

  /** The events that end in these bytes. At each event, this parser has the state right after that event. */
  *parse(bytes: Uint8Array): Generator<ServerSentEvent, void, undefined> {
    const text = this.rest + this.decoder.decode(bytes, { stream: true });
    // A carriage return at the end may belong to a line feed in the next bytes.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') {
        this.take(line);
        continue;
      }
      if (this.id !== undefined) this.lastEventId = this.id;
      const { type, data } = this;
      this.type = '';
      this.data = [];
      if (data.length > 0) yield { type: type === '' ? 'message' : type, data: data.join('\n') };
    }
  }

  private take(line: string): void {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') this.type = value;
    else if (name === 'data') this.data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
  }
}
