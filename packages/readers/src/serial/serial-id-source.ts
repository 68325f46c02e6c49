import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { loadOptional, checkRange, type DeviceSession, type Range, invalidOption } from '@tallybook/devices';
import { quote, type TallybookError, type Clock, type TallyId } from '@tallybook/domain';
import { Subject, type Observable } from 'rxjs';
import type { SerialPort } from 'serialport';
import { ReconnectingIdSource, type ReconnectingOptions } from '../reconnecting-id-source.js';
import { Silence } from '../silence.js';
import { Confirmation, CONFIRM_RANGE } from './confirmation.js';
import { Conversation } from './conversation.js';
import { findHolder } from './find-holder.js';
import type { DecodedFrame, FrameDecoder } from './decoders/frame-decoder.js';
import { createFileFault, createLossFault, createOpenFault } from './line-fault.js';
import { LineHealth } from '../line-health.js';
import { readPort } from './port-bytes.js';
import { Rdm6300Decoder } from './decoders/em4100-decoders.js';

/** Loads `serialport` and its native part. Rejects with `INVALID_OPTION` if they cannot be loaded. */
export async function loadSerialPort(
  load: () => Promise<{ readonly SerialPort: typeof SerialPort }> = () => import('serialport'),
): Promise<typeof SerialPort> {
  return (await loadOptional('a serial reader', 'serialport@13', load)).SerialPort;
}

/** Range of the baud rates of known serial lines. */
export const BAUD_RANGE: Range = { lowest: 110, highest: 4_000_000 };

const ADVICE = 'check the baud rate, the protocol and the wiring, TX to RX and a common ground';

export interface SerialOptions extends ReconnectingOptions {
  /** The device file. It is resolved at each attempt, so links below `/dev/serial/by-id` follow the device. */
  readonly path: string;
  /** Default: `serial:` and the path. */
  readonly name?: string | undefined;
  /** Baud, 110..4000000, default 9600. */
  readonly baudRate?: number | undefined;
  /** Number of equal frames that make a reading, 1..5, default 2: see {@link Confirmation}. */
  readonly confirm?: number | undefined;
  /** Called for each connection. Default: a new {@link Rdm6300Decoder}. */
  readonly createDecoder?: (() => FrameDecoder) | undefined;
}

/**
 * A reader on a serial line with 8 data bits, no parity and 1 stop bit.
 *
 * ```
 * Reconnection -> port -> bytes -> FrameDecoder -> IdFormat -> Confirmation -> readings
 *       |                ^------ prompts ----'  \-----------> faults
 *       '-> lost or not there -----> faults, each reason once until the line is back
 * ```
 *
 * `open()` resolves after the first attempt, successful or not, and rejects with `INVALID_OPTION` only if the package
 * `serialport` cannot be loaded.
 */
export class SerialIdSource extends ReconnectingIdSource {
  override readonly kind = 'serial';
  readonly #path: string;
  readonly baudRate: number;
  /** The raw bytes of the line, to find out the protocol of a reader. */
  readonly received: Observable<Uint8Array>;
  /** Number of equal frames that make a reading. */
  readonly confirm: number;
  readonly #createDecoder: () => FrameDecoder;
  readonly #received = new Subject<Uint8Array>();

  /** @throws {TallybookError} `INVALID_OPTION` if an option is not as described. */
  constructor(options: SerialOptions, clock: Clock) {
    const { path, baudRate = 9_600, confirm = 2 } = options;
    if (!/^\P{Cc}+$/u.test(path)) {
      throw invalidOption(
        `a serial line is named by its path, such as /dev/ttyUSB0; got ${quote(path)}`,
        'path',
      );
    }
    super(options.name ?? `serial:${path}`, clock, options);
    this.#path = path;
    this.baudRate = checkRange('baud', baudRate, BAUD_RANGE);
    this.confirm = checkRange('confirm', confirm, CONFIRM_RANGE);
    this.received = this.#received.asObservable();
    this.#createDecoder = options.createDecoder ?? (() => new Rdm6300Decoder());
  }

  /** One attempt, with a new port object: the stream of an object that lost its device may have ended for good. */
  protected override async connect(): Promise<DeviceSession> {
    const Port = await loadSerialPort();
    // Opening and closing a file would drop the locks of this process on it, such as that of a store.
    if (await isNoDevice(this.#path)) throw createFileFault(this.#path);
    const port = new Port({ path: this.#path, baudRate: this.baudRate, autoOpen: false });
    // Without a listener, an error event would end the process.
    port.on('error', ignore);
    try {
      await promisify(port.open.bind(port))();
    } catch (error) {
      throw await createOpenFault(this.#path, error, findHolder);
    }
    this.#listen(port);
    return {
      lost: once(port, 'close').then(
        ([cause]: unknown[]) => createLossFault(this.#path, cause),
        (error: unknown) => createLossFault(this.#path, error),
      ),
      end: async () => {
        // If closing fails, nothing is left behind: the file descriptor is closed either way.
        if (port.isOpen) await promisify(port.close.bind(port))().catch(ignore);
      },
    };
  }

  #listen(port: SerialPort): void {
    const decoder = this.#createDecoder();
    const confirmation = new Confirmation(this.confirm, this.clock);
    const health = new LineHealth(ADVICE);
    const report = (fault: TallybookError): void => {
      this.reportFaulty(health, fault);
    };
    const conversation = new Conversation(decoder, this.clock, {
      report,
      send: (bytes) => void port.write(bytes),
    });
    const take = (frames: readonly DecodedFrame[]): void => {
      for (const frame of frames) {
        const id = this.#toId(frame, report);
        if (id === undefined) continue;
        health.sound();
        if (confirmation.accepts(id)) this.deliver(id);
      }
    };
    const silence = new Silence(this.clock, () => {
      take(decoder.silence?.() ?? []);
    });
    const listenOn = (): void => {
      if (decoder.silenceMs !== undefined) silence.await(decoder.silenceMs);
      conversation.goOn();
    };
    readPort(port, (bytes) => {
      this.#received.next(bytes);
      take(decoder.push(bytes, this.clock.monotonicMs()));
      listenOn();
    });
    port.once('close', () => {
      for (const waiting of [silence, confirmation, conversation]) waiting.stop();
    });
    listenOn();
  }

  #toId(frame: DecodedFrame, report: (fault: TallybookError) => void): TallyId | undefined {
    if ('fault' in frame) {
      report(frame.fault);
      return undefined;
    }
    if ('text' in frame) return this.read(() => this.format.fromText(frame.text), report);
    const inspect = frame.isUid === true ? this.inspectUid : undefined;
    return this.read(() => this.format.fromBytes(Buffer.from(frame.id, 'hex'), inspect), report);
  }
}

const ignore = (): void => undefined;

/** Whether there is something else than a device. Outside of Unix a line has no file. */
async function isNoDevice(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => !found.isCharacterDevice(),
    () => false,
  );
}
