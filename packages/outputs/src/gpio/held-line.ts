import { startProgram, type GpioTool, type Program, type ProgramEnd } from '@tallybook/devices';
import { holdArguments, type OutputLine } from './output-line.js';

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
