import {
  checkChip,
  checkRange,
  chipFile,
  findGpioTool,
  LINE_RANGE,
  Reconnection,
  type DeviceSession,
  invalidOption,
} from '@tallybook/devices';
import type { Clock } from '@tallybook/domain';
import { BaseIndicator, type Display } from '../device-indicator.js';
import { LampLines, type OutputLine } from './lamp-lines.js';
import { lamps, patterns, PatternPlayer, type Lamp } from './pattern-player.js';

export interface GpioIndicatorOptions {
  /** Path, name or label of the chip, such as `/dev/gpiochip0`, `gpiochip0` or `pinctrl-rp1`. */
  readonly chip: string;
  /** Lines of the connected lamps: at least one, all different. */
  readonly lines: Readonly<Partial<Record<Lamp, number | undefined>>>;
  /** The lamps that are on while their line is low. Default: none. */
  readonly activeLow?: readonly Lamp[] | undefined;
  /** Default: `gpio:`, the chip, and the lines. */
  readonly name?: string | undefined;
  /** Name of the reader whose taps it shows. Default: it shows the taps at all readers. */
  readonly reader?: string | undefined;
  /** Milliseconds to wait before an attempt, by its number from 1. Default: {@link retryDelayMs}. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
}

/**
 * Lights and a buzzer on the lines of a GPIO chip.
 *
 * ```
 * display -> pattern -> PatternPlayer -> LampLines -> HeldLine -> gpioset, one for each line
 *                                            ^
 * Reconnection: chip and lines are there ----'
 * ```
 *
 * `open()` resolves after the first attempt to take the lines, successful or not, and rejects with `INVALID_OPTION`
 * only if gpioset is not installed. It shows `started` when it has taken the lines for the first time. After
 * `close()` everything is off.
 */
export class GpioIndicator extends BaseIndicator {
  readonly #chip: string;
  readonly #lines: ReadonlyMap<Lamp, OutputLine>;
  readonly #player: PatternPlayer;
  readonly #reconnection: Reconnection;
  #lampLines: LampLines | undefined;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is not as described. */
  constructor(options: GpioIndicatorOptions, clock: Clock) {
    const chip = checkChip(options.chip);
    const lines = readLines(options);
    super({ name: options.name ?? usualName(chip, lines), reader: options.reader });
    this.#chip = chip;
    this.#lines = lines;
    this.#player = new PatternPlayer(clock, (lamp, isOn) => this.#lampLines?.turn(lamp, isOn));
    this.#reconnection = new Reconnection({
      connect: () => this.#connect(),
      onConnected: () => this.connected(),
      onWaiting: (fault) => this.disconnected(fault),
      retryDelayMs: options.retryDelayMs,
      path: chipFile(chip),
    });
  }

  protected override display(display: Display): void {
    if (this.#lampLines !== undefined) this.#player.play(patterns[display]);
  }

  protected override async onOpen(): Promise<void> {
    this.begin();
    await this.#reconnection.open();
  }

  protected override async onClose(): Promise<void> {
    await this.#reconnection.close();
    this.disconnected();
  }

  async #connect(): Promise<DeviceSession> {
    const tool = await findGpioTool('gpioset', this.#chip, 'OUTPUT_FAILED');
    const lampLines = await LampLines.take(tool, this.#lines, this.#chip);
    this.#lampLines = lampLines;
    return {
      lost: lampLines.lost,
      end: async () => {
        this.#player.stop();
        this.#lampLines = undefined;
        await lampLines.release();
      },
    };
  }
}

function readLines({ lines, activeLow = [] }: GpioIndicatorOptions): ReadonlyMap<Lamp, OutputLine> {
  const connected = new Map<Lamp, OutputLine>();
  const taken = new Map<number, Lamp>();
  for (const lamp of lamps) {
    const offset = lines[lamp];
    if (offset === undefined) continue;
    checkRange(lamp, offset, LINE_RANGE);
    const other = taken.get(offset);
    if (other !== undefined) {
      throw invalidOption(
        `${other} and ${lamp} are both line ${offset}; each lamp has a line of its own`,
        lamp,
      );
    }
    taken.set(offset, lamp);
    connected.set(lamp, { offset, isActiveLow: activeLow.includes(lamp) });
  }
  if (connected.size === 0)
    throw invalidOption(`give a line to at least one of ${lamps.join(', ')}, such as green=22`);
  const missing = activeLow.find((lamp) => !connected.has(lamp));
  if (missing !== undefined) {
    throw invalidOption(`active-low names ${missing}, which has no line`, 'active-low');
  }
  return connected;
}

function usualName(chip: string, lines: ReadonlyMap<Lamp, OutputLine>): string {
  return `gpio:${chip}?${[...lines].map(([lamp, { offset }]) => `${lamp}=${offset}`).join('&')}`;
}
