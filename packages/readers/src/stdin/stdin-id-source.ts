import {
  TALLY_ID_MIN_BYTES,
  TallybookError,
  type Clock,
  type IdFormat,
  type TallyId,
} from '@tallybook/domain';
import { ObservableIdSource } from '../observable-id-source.js';
import { LineSplitter, type Line } from '../line-splitter.js';

export interface StdinOptions {
  /** Default: `stdin`. */
  readonly name?: string | undefined;
  /** Default: the standard input of the process. */
  readonly stream?: NodeJS.ReadableStream | undefined;
  /** Format of the ids. Default: hex. */
  readonly format?: IdFormat | undefined;
  /** Whether a person at a terminal has to type an id of 3 bytes twice. Default: no. */
  readonly asksAboutShortIds?: boolean | undefined;
}

const MAX_LINE_LENGTH = 1_000;
/**
 * Largest number of lines taken in one turn of the event loop, so that writing, timers and signals get their turns in a
 * flood.
 */
const LINES_PER_TURN = 256;

/**
 * Reads ids from a stream of text, one id in each line. White space around an id is allowed. Empty lines are ignored.
 * USB readers that type like a keyboard work with this source.
 *
 * The end of the stream is the loss of the device, for good. Closing detaches from the stream, so that the stream does
 * not keep the process alive. Lines that wait at that time are delivered after the next `open()`.
 */
export class StdinIdSource extends ObservableIdSource {
  override readonly kind = 'stdin';
  readonly #givenStream: NodeJS.ReadableStream | undefined;
  // Both are kept across close() and open(): a line cut in two there would make two wrong ids.
  readonly #lines = new LineSplitter(MAX_LINE_LENGTH);
  readonly #text = new TextDecoder();
  /** Lines of the latest chunk that are not taken yet; the stream is paused meanwhile. */
  #pending: Iterator<Line> | undefined;
  #nextTurn: NodeJS.Immediate | undefined;
  readonly #asksAboutShortIds: boolean;
  /** Short ids that were typed once so far. */
  readonly #questioned = new Set<TallyId>();

  /** @throws {TallybookError} `INVALID_OPTION` if the name is not 1 to 100 characters. */
  constructor(options: StdinOptions, clock: Clock) {
    super(options.name ?? 'stdin', clock, options.format);
    this.#givenStream = options.stream;
    this.#asksAboutShortIds = options.asksAboutShortIds ?? false;
  }

  protected override onOpen(): Promise<void> {
    const stream = this.#stream;
    if (!stream.readable) {
      this.#report('standard input has ended');
      return Promise.resolve();
    }
    stream
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', this.#onError)
      .on('close', this.#onClose);
    this.setConnection('connected');
    this.#takePending();
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    const stream = this.#stream;
    stream
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onError)
      .off('close', this.#onClose);
    clearImmediate(this.#nextTurn);
    stream.pause();
    this.setConnection('waiting');
    return Promise.resolve();
  }

  /** Not used before `open()`: the first use of `process.stdin` opens it. */
  get #stream(): NodeJS.ReadableStream {
    return this.#givenStream ?? process.stdin;
  }

  readonly #onData = (chunk: Uint8Array | string): void => {
    const text = typeof chunk === 'string' ? chunk : this.#text.decode(chunk, { stream: true });
    this.#pending = this.#lines.push(text);
    this.#stream.pause();
    this.#takePending();
  };

  readonly #onEnd = (): void => {
    for (const line of this.#lines.push(this.#text.decode())) this.#take(line);
    for (const line of this.#lines.end()) this.#take(line);
    this.#lose('standard input ended');
  };

  readonly #onError = (cause: Error): void => {
    this.#lose('standard input failed', cause);
  };

  readonly #onClose = (): void => {
    this.#lose('standard input was closed');
  };

  #takePending(): void {
    for (let n = 0; n < LINES_PER_TURN; n++) {
      const line = this.#pending?.next();
      if (line === undefined || line.done === true) {
        this.#stream.resume();
        return;
      }
      this.#take(line.value);
    }
    this.#nextTurn = setImmediate(() => {
      this.#takePending();
    });
  }

  #take(line: Line): void {
    if ('isTooLong' in line) {
      const message = `a line of standard input is one tally id; got one of more than ${MAX_LINE_LENGTH} characters`;
      this.report(new TallybookError('INVALID_TALLY_ID', message));
      return;
    }
    const text = line.text.trim();
    if (text === '') return;
    const id = this.read(() => this.format.fromText(text));
    if (id !== undefined && this.#isMeant(id)) this.deliver(id);
  }

  /** Words such as "facade" are valid ids of 3 bytes, and would be recorded for good. Few tags have ids of 3 bytes. */
  #isMeant(id: TallyId): boolean {
    const isTyped = 'isTTY' in this.#stream && this.#stream.isTTY === true;
    const isShort = id.length === 2 * TALLY_ID_MIN_BYTES;
    if (!this.#asksAboutShortIds || !isTyped || !isShort || this.#questioned.has(id)) return true;
    this.#questioned.add(id);
    const message =
      'few tags have an id of 3 bytes; if it is right, type it again (--reader stdin:?format=hex takes every id at once)';
    this.report(new TallybookError('INVALID_TALLY_ID', message));
    return false;
  }

  /** A stream that ends or fails also closes; only the first of these events is reported. */
  #lose(what: string, cause?: unknown): void {
    if (this.connection === 'waiting') return;
    this.#report(what, cause);
    this.setConnection('waiting');
  }

  #report(what: string, cause?: unknown): void {
    const message = `${what}, so this reader reads no more ids; restart with another input or another reader`;
    this.report(new TallybookError('READER_DISCONNECTED', message, { cause }));
  }
}
