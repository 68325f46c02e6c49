import { checkRange, type DeviceSession, type Range, invalidOption } from '@tallybook/devices';
import { counted, quote, TallybookError, type Clock, type ErrorDetails } from '@tallybook/domain';
import { ReconnectingIdSource, type ReconnectingOptions } from '../reconnecting-id-source.js';
import { Silence } from '../silence.js';
import { grabKeyboard, type EvtestLine } from './grab-keyboard.js';
import { KeyDecoder, LONGEST_RUN } from './key-decoder.js';
import { keyboardLayouts, type KeyboardLayoutName } from './keyboard-layouts.js';

/** Allowed values of the shortest length of an id, in characters. */
export const LENGTH_RANGE: Range = { lowest: 1, highest: 40 };
const SILENCE_RANGE: Range = { lowest: 50, highest: 1_000 };

export interface HidOptions extends ReconnectingOptions {
  /** The device file, resolved at each attempt, so links below `/dev/input/by-id` follow the device. */
  readonly path: string;
  /** Default: `hid:` and the path. */
  readonly name?: string | undefined;
  /** Keyboard layout of the reader, whatever the one of this machine is. Default: `us`. */
  readonly layout?: KeyboardLayoutName | undefined;
  /** Smallest number of characters of an id, 1..40, default 6. Shorter text counts as typed by a person. */
  readonly length?: number | undefined;
  /** The silence in milliseconds that ends an id without Enter, 50..1000, default 200. */
  readonly silenceMs?: number | undefined;
}

/**
 * A USB reader that types like a keyboard. While the source is open, its keys reach no other program.
 *
 * ```
 * kernel -> evtest -> (key, time) -> KeyDecoder -> text -> IdFormat -> readings
 *             ^  |        silence -----^            \---------\------> faults
 * Reconnection   '-> ended, or not started --------------------------> faults, each reason once until it is back
 * ```
 *
 * `open()` resolves after the first attempt, successful or not, and rejects with `INVALID_OPTION` only if the program
 * `evtest` is not installed.
 */
export class HidIdSource extends ReconnectingIdSource {
  override readonly kind = 'hid';
  readonly #path: string;
  readonly #layout: KeyboardLayoutName;
  readonly #length: number;
  readonly #silenceMs: number;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is not as described. */
  constructor(options: HidOptions, clock: Clock) {
    const { path, layout = 'us', length = 6, silenceMs = 200 } = options;
    if (!/^\/\P{Cc}+$/u.test(path)) {
      throw invalidOption(
        `a keyboard reader is named by its path, such as /dev/input/by-id/usb-READER-event-kbd; got ${quote(path)}`,
        'path',
      );
    }
    super(options.name ?? `hid:${path}`, clock, options);
    this.#path = path;
    this.#layout = layout;
    this.#length = checkRange('length', length, LENGTH_RANGE);
    this.#silenceMs = checkRange('silence', silenceMs, SILENCE_RANGE, `${silenceMs} ms`);
  }

  protected override async connect(signal: AbortSignal): Promise<DeviceSession> {
    const decoder = new KeyDecoder(keyboardLayouts[this.#layout], this.#silenceMs);
    const silence = new Silence(this.clock, () => {
      this.#take(decoder.end());
    });
    let isGrabbed = false;
    const onLine = (line: EvtestLine): void => {
      if (line.kind === 'key') {
        this.#take(decoder.push(line.key));
        // Earlier keys may have gone to another program.
        if (!isGrabbed) decoder.spoil(line.key.timeMs);
      } else if (line.kind === 'dropped') {
        decoder.spoil(line.timeMs);
        const message = 'this machine was too busy and lost keys of the reader; tap again';
        this.report(keyFault(message, { problem: 'lost keys' }));
      } else return;
      silence.await(this.#silenceMs);
    };
    const grabbed = await grabKeyboard({ path: this.#path, settleMs: this.#silenceMs, onLine, signal });
    isGrabbed = true;
    return {
      lost: grabbed.lost,
      end: async () => {
        silence.stop();
        await grabbed.end();
      },
    };
  }

  #take(runs: readonly string[]): void {
    for (const run of runs) {
      const { length } = run;
      if (length > LONGEST_RUN) {
        const message = `received more than ${LONGEST_RUN} characters without an end; they are ignored`;
        this.report(keyFault(message, { problem: 'too many characters' }));
      } else if (length >= this.#length) this.deliverText(run);
      else {
        const message = `received ${counted(length, 'character')}, fewer than the ${this.#length} of an id ("length"); they are ignored, as typed by a person`;
        this.report(keyFault(message, { length, problem: 'too few characters' }));
      }
    }
  }
}

/** The fault of keys. It does not have their text: that may be anything, and errors are logged. */
function keyFault(message: string, details: ErrorDetails): TallybookError {
  return new TallybookError('FRAME_INVALID', message, { details });
}
