import type { GpioTool } from '@tallybook/devices';

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
export function holdArguments(tool: GpioTool, line: OutputLine, isOn: boolean): readonly string[] {
  const value = setting(line, isOn);
  return tool.version === 1
    ? ['--mode=wait', tool.chipPath, value]
    : ['--consumer', 'tallybook', '--chip', tool.chipPath, value];
}

/** The arguments of a `gpioset` that turns lines off, releases them, and ends at once. */
export function offArguments(tool: GpioTool, lines: readonly OutputLine[]): readonly string[] {
  const values = lines.map((line) => setting(line, false));
  return tool.version === 1
    ? ['--mode=exit', tool.chipPath, ...values]
    : ['--toggle', '0', '--consumer', 'tallybook', '--chip', tool.chipPath, ...values];
}

function setting({ offset, isActiveLow }: OutputLine, isOn: boolean): string {
  return `${offset}=${isOn === isActiveLow ? 0 : 1}`;
}
