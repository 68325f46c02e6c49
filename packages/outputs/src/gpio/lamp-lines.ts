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

/** The lines of the connected lamps, held from {@link LampLines.take} until {@link LampLines.release}. */
export class LampLines {
  /** Resolves when a program that holds a line has ended by itself. */
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
   * @throws {TallybookError} `OUTPUT_FAILED`, with the reason in `details.reason`, if the lines cannot be taken.
   */
  static async take(tool: GpioTool, lines: ReadonlyMap<Lamp, OutputLine>, chip: string): Promise<LampLines> {
    const taken = new LampLines(tool, lines, chip);
    // The exit code of a program that ends shows whether the lines are free. A program that holds lines shows nothing.
    const failure = await taken.#turnOff();
    if (failure !== undefined) throw createGpioFault('OUTPUT_FAILED', chip, failure);
    for (const held of taken.#held.values()) held.hold(false);
    return taken;
  }

  /** Turns a lamp on or off. Does nothing if the lamp is not connected. */
  turn(lamp: Lamp, isOn: boolean): void {
    this.#held.get(lamp)?.hold(isOn);
  }

  /** Releases all lines and turns all lamps off. Never rejects. */
  async release(): Promise<void> {
    await Promise.all([...this.#held.values()].map((held) => held.release()));
    // Some kernels do not change a released line, such as the kernel of a Raspberry Pi.
    await this.#turnOff();
  }

  /** @returns Why the lines could not be taken; `undefined` if they could. */
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
