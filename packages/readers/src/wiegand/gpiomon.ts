import type { GpioTool } from '@tallybook/devices';
import type { Pulse } from './wiegand-frame.js';

/** The lines of a chip to which D0 and D1 are wired. */
export interface WiegandLines {
  readonly d0: number;
  readonly d1: number;
}

/**
 * The arguments with which `gpiomon` prints each falling edge at once, in both versions as the line and the time. The
 * outputs of readers only pull down, so both lines are pulled up. 2.x first prints that it watches the lines.
 */
export function gpiomonArguments(
  { version, chipPath }: GpioTool,
  { d0, d1 }: WiegandLines,
): readonly string[] {
  const lines = [String(d0), String(d1)];
  return version === 1
    ? ['--falling-edge', '--line-buffered', '--bias=pull-up', '--format=%o %s %n', chipPath, ...lines]
    : ['--banner', '--edges=falling', '--bias=pull-up', '--format=%o %S', `--chip=${chipPath}`, ...lines];
}

/** 1.x prints seconds and nanoseconds without padding: 5.080045440 s are `5 80045440`. 2.x prints `5.080045440`. */
const EVENT = /^([0-9]+) ([0-9]+)[ .]([0-9]+)$/;

/**
 * Reads the line that `gpiomon` prints for an edge.
 *
 * @returns `undefined` for any other line, such as the banner.
 */
export function parseEvent(text: string, { d0, d1 }: WiegandLines): Pulse | undefined {
  const [, line, seconds = NaN, nanoseconds = NaN] = (EVENT.exec(text) ?? []).map(Number);
  const atUs = seconds * 1_000_000 + nanoseconds / 1_000;
  if (line === d0) return { bit: 0, atUs };
  return line === d1 ? { bit: 1, atUs } : undefined;
}
