import {
  createGpioFault,
  createGpioLossFault,
  describeEnd,
  startProgram,
  type GpioTool,
} from '@tallybook/devices';
import type { TallybookError } from '@tallybook/domain';
import { HeldLine } from './held-line.js';
import { offArguments, type OutputLine } from './output-line.js';
import type { Lamp } from './pattern.js';

/** The lines of the lamps that are connected, held from {@link LampLines.take} until they are released. */
export class LampLines {
  /** Resolves when a line is held no more without having been released. */
  readonly lost: Promise<TallybookError>;
  readonly #tool: GpioTool;
  readonly #lines: readonly OutputLine[];
  readonly #held: ReadonlyMap<Lamp, HeldLine>;

  private constructor(tool: GpioTool, lines: ReadonlyMap<Lamp, OutputLine>, chip: string) {
    const { promise, resolve } = deferred<TallybookError>();
    this.lost = promise;
    this.#tool = tool;
    this.#lines = [...lines.values()];
    this.#held = new Map(
      [...lines].map(([lamp, line]) => {
        const held = new HeldLine(tool, line, (end) => {
          resolve(createGpioLossFault('OUTPUT_FAILED', chip, describeEnd(end)));
        });
        return [lamp, held];
      }),
    );
  }

  /**
   * Takes the lines, all off.
   *
   * @throws {TallybookError} `OUTPUT_FAILED`, with why in `details.reason`, if they cannot be had.
   */
  static async take(tool: GpioTool, lines: ReadonlyMap<Lamp, OutputLine>, chip: string): Promise<LampLines> {
    const taken = new LampLines(tool, lines, chip);
    // A program that ends tells whether the lines can be had; one that holds them cannot be asked.
    const failure = await taken.#turnOff();
    if (failure !== undefined) throw createGpioFault('OUTPUT_FAILED', chip, failure);
    for (const held of taken.#held.values()) held.hold(false);
    return taken;
  }

  /** Turns a lamp on or off; nothing, if it is not connected. */
  turn(lamp: Lamp, isOn: boolean): void {
    this.#held.get(lamp)?.hold(isOn);
  }

  /** Turns everything off and lets it go. Never rejects. */
  async release(): Promise<void> {
    await Promise.all([...this.#held.values()].map((held) => held.release()));
    // Some kernels leave a line that is let go as it was: that of a Raspberry Pi does.
    await this.#turnOff();
  }

  /** @returns Why the lines could not be had, if so. */
  async #turnOff(): Promise<string | undefined> {
    const end = await startProgram('gpioset', offArguments(this.#tool, this.#lines)).ended;
    return end.how === 'exited' && end.code === 0 ? undefined : describeEnd(end);
  }
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((each) => {
    resolve = each;
  });
  return { promise, resolve };
}
