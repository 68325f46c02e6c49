import {
  deferred,
  startProgram,
  createGpioFault,
  createGpioLossFault,
  describeEnd,
  type GpioTool,
  type Program,
  type ProgramEnd,
} from '@tallybook/devices';
import type { TallybookError } from '@tallybook/domain';
import type { Lamp } from './pattern-player.js';

/** A line of a GPIO chip with a lamp or a buzzer. */
export interface OutputLine {
  /** Number of the line on its chip. */
  readonly offset: number;
  /** Whether the connected part is on while the line is low. */
  readonly isActiveLow: boolean;
}

/**
 * The arguments of a `gpioset` that holds a line on or off for as long as it runs. gpioset 1.x waits for the end of its
 * standard input, which comes when this process ends in any way. gpioset 2.x waits only for signals.
 */
function holdArguments(tool: GpioTool, line: OutputLine, isOn: boolean): readonly string[] {
  const value = setting(line, isOn);
  return tool.version === 1
    ? ['--mode=wait', tool.chipPath, value]
    : ['--consumer', 'tallybook', '--chip', tool.chipPath, value];
}

/** The arguments of a `gpioset` that turns lines off, releases them, and ends at once. */
function offArguments(tool: GpioTool, lines: readonly OutputLine[]): readonly string[] {
  const values = lines.map((line) => setting(line, false));
  return tool.version === 1
    ? ['--mode=exit', tool.chipPath, ...values]
    : ['--toggle', '0', '--consumer', 'tallybook', '--chip', tool.chipPath, ...values];
}

function setting({ offset, isActiveLow }: OutputLine, isOn: boolean): string {
  return `${offset}=${isOn === isActiveLow ? 0 : 1}`;
}

/**
 * One line that a program of its own holds on or off.
 *
 * Neither version of gpioset can release or change a line without ending, so a change ends the program and starts
 * another. For some milliseconds in between nothing drives the line. Each line has its own program: with one program
 * for all, a change of one line would make the others flicker.
 */
export class HeldLine {
  readonly #tool: GpioTool;
  readonly #line: OutputLine;
  readonly #onLost: (end: ProgramEnd) => void;
  #wanted: boolean | undefined;
  #held: boolean | undefined;
  #holder: Program | undefined;
  #changing: Promise<void> | undefined;

  /** @param onLost Called when a program ended by itself: the line is no longer held. */
  constructor(tool: GpioTool, line: OutputLine, onLost: (end: ProgramEnd) => void) {
    this.#tool = tool;
    this.#line = line;
    this.#onLost = onLost;
  }

  /** Begins to hold the line on or off. Of several requests during a change, the last one counts. */
  hold(isOn: boolean): void {
    void this.#want(isOn);
  }

  /** Releases the line without changing it first. */
  async release(): Promise<void> {
    await this.#want(undefined);
  }

  #want(wanted: boolean | undefined): Promise<void> {
    this.#wanted = wanted;
    if (this.#changing === undefined && this.#held !== wanted) this.#changing = this.#change();
    return this.#changing ?? Promise.resolve();
  }

  async #change(): Promise<void> {
    while (this.#held !== this.#wanted) {
      const former = this.#holder;
      this.#holder = undefined;
      await former?.kill();
      this.#held = this.#wanted;
      if (this.#held !== undefined) this.#holder = this.#start(this.#held);
    }
    this.#changing = undefined;
  }

  #start(isOn: boolean): Program {
    const holder = startProgram('gpioset', holdArguments(this.#tool, this.#line, isOn));
    void holder.ended.then((end) => {
      if (this.#holder === holder) this.#onLost(end);
    });
    return holder;
  }
}

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
