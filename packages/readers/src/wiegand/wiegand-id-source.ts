import { setTimeout as pause } from 'node:timers/promises';
import {
  checkChip,
  checkRange,
  chipFile,
  createGpioFault,
  createGpioLossFault,
  deferred,
  describeEnd,
  findGpioTool,
  LINE_RANGE,
  startProgram,
  type DeviceSession,
  type Range,
  invalidOption,
} from '@tallybook/devices';
import type { TallybookError, Clock } from '@tallybook/domain';
import { ReconnectingIdSource, type ReconnectingOptions } from '../reconnecting-id-source.js';
import { LineHealth } from '../line-health.js';
import {
  decodePulses,
  invalidPulses,
  PulseBuffer,
  PARITY_LENGTHS,
  WIEGAND_LENGTHS,
  type WiegandFormat,
  type WiegandFrame,
} from './wiegand-frame.js';
import { gpiomonArguments, parseEvent, type WiegandLines } from './gpiomon.js';

const SILENCE_RANGE: Range = { lowest: 25, highest: 1_000 };
const USUAL_LENGTHS: readonly number[] = [26, 34, 37];

/**
 * Milliseconds after which `gpiomon` of each version counts as ready if it has not ended. 1.x does not print that it is
 * ready; if it fails, it ends within a few milliseconds.
 */
const READY_MS = { 1: 300, 2: 5_000 } as const;

const ADVICE = 'check the wiring of D0, D1 and ground, whether they are swapped, and the setting "bits"';

export interface WiegandOptions extends ReconnectingOptions {
  /** Path, name or label of the GPIO chip, such as `/dev/gpiochip0`, `gpiochip0` or `pinctrl-rp1`. */
  readonly chip: string;
  /** The line of the chip to which D0 is wired, 0..1023. */
  readonly d0: number;
  /** The line of the chip to which D1 is wired, 0..1023. */
  readonly d1: number;
  /** Default: `wiegand:`, the chip, and the lines. */
  readonly name?: string | undefined;
  /** Lengths of the frames that are ids, from {@link WIEGAND_LENGTHS}. Default: 26, 34 and 37. */
  readonly bits?: readonly number[] | undefined;
  /** The silence in milliseconds that ends a frame, 25..1000, default 50. */
  readonly silenceMs?: number | undefined;
}

/**
 * A reader with a Wiegand output on two lines of a GPIO chip, watched by `gpiomon` of libgpiod 1.5 or later.
 *
 * ```
 * kernel -> gpiomon -> (line, time) -> PulseBuffer -> decodePulses -> IdFormat -> readings
 *             ^  |                          \-------------\--> faults
 * Reconnection   '-> ended, or not started -----------------> faults, each reason once until it runs again
 * ```
 *
 * `open()` resolves after the first attempt, successful or not, and rejects with `INVALID_OPTION` only if `gpiomon`
 * is not installed.
 */
export class WiegandIdSource extends ReconnectingIdSource {
  override readonly kind = 'wiegand';
  override readonly caution: string | undefined = undefined;
  readonly #chip: string;
  readonly #lines: WiegandLines;
  readonly #wiegand: WiegandFormat;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is not as described. */
  constructor(options: WiegandOptions, clock: Clock) {
    const { d0, d1, bits = USUAL_LENGTHS, silenceMs = 50 } = options;
    const chip = checkChip(options.chip);
    super(options.name ?? `wiegand:${chip}?d0=${d0}&d1=${d1}`, clock, { ...options, path: chipFile(chip) });
    this.#chip = chip;
    this.#lines = { d0: checkRange('d0', d0, LINE_RANGE), d1: checkRange('d1', d1, LINE_RANGE) };
    if (d0 === d1) throw invalidOption(`d0 and d1 are two lines; got ${d0} for both`, 'd1');
    const isAllowed = bits.length > 0 && bits.every((length) => WIEGAND_LENGTHS.includes(length));
    if (!isAllowed) {
      throw invalidOption(
        `bits is one or more of 20 to 64, 66, 72, 74, 80, 82; got ${bits.join(', ')}`,
        'bits',
      );
    }
    const unchecked = bits.filter((length) => !PARITY_LENGTHS.includes(length)).join(', ');
    if (unchecked !== '') {
      this.caution = `frames of ${unchecked} bits have no known parity: all their bits become the id without a check, so noise can change an id`;
    }
    this.#wiegand = {
      lengths: bits,
      silenceMs: checkRange('silence', silenceMs, SILENCE_RANGE, `${silenceMs} ms`),
    };
  }

  protected override async connect(signal: AbortSignal): Promise<DeviceSession> {
    const tool = await findGpioTool('gpiomon', this.#chip, 'READER_DISCONNECTED');
    const pulses = this.#collect();
    let hasSpoken = false;
    const ready = deferred();
    const program = startProgram('gpiomon', gpiomonArguments(tool, this.#lines), (line) => {
      hasSpoken = true;
      ready.resolve();
      const pulse = parseEvent(line, this.#lines);
      if (pulse !== undefined) pulses.add(pulse);
    });
    const lost = program.ended.then((end) => {
      const createFault = hasSpoken ? createGpioLossFault : createGpioFault;
      return createFault('READER_DISCONNECTED', this.#chip, describeEnd(end));
    });
    const giveUp = (): void => void program.kill();
    signal.addEventListener('abort', giveUp);
    void pause(READY_MS[tool.version], undefined, { ref: false }).then(ready.resolve);
    const fault = await Promise.race([lost, ready.promise]);
    signal.removeEventListener('abort', giveUp);
    if (fault !== undefined) throw fault;
    return {
      lost,
      end: async () => {
        pulses.stop();
        await program.kill();
      },
    };
  }

  #collect(): PulseBuffer {
    const health = new LineHealth(ADVICE);
    const report = (fault: TallybookError): void => {
      this.reportFaulty(health, fault);
    };
    const take = (frame: WiegandFrame): void => {
      if ('bytes' in frame) {
        const id = this.read(() => this.format.fromBytes(frame.bytes), report);
        if (id === undefined) return;
        health.sound();
        this.deliver(id);
      } else if (frame.isKey) this.report(frame.fault);
      else report(frame.fault);
    };
    return new PulseBuffer(this.clock, this.#wiegand.silenceMs, {
      onSilence: (pulses) => {
        decodePulses(pulses, this.#wiegand).forEach(take);
      },
      onFlood: (count) => {
        report(invalidPulses('pulses without a pause, as from a line that is not connected', count));
      },
    });
  }
}
