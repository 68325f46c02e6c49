import type { GpioTool } from '@tallybook/devices';

/** A line of a GPIO chip that something is connected to. */
export interface OutputLine {
  /** Number of the line on its chip. */
  readonly offset: number;
  /** Whether what is connected is on while the line is low. */
  readonly isActiveLow: boolean;
}

/** How to call a program. */
export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Holds a line on or off for as long as the program runs, and ends when this process does, however that ends: an
 * orphan would keep the buzzer sounding, and the lines from the next run.
 *
 * gpioset 1.x can wait for the end of its standard input, which is the end of who writes it. gpioset 2.x waits for
 * nothing but signals: its interactive mode, where it exists, is not in the package of Debian 13. So the kernel is
 * asked to send one, through a tool that every distribution with such a gpioset has.
 */
export function holdCommand(tool: GpioTool, line: OutputLine, isOn: boolean): CommandLine {
  const value = setting(line, isOn);
  if (tool.version === 1) return { file: 'gpioset', args: ['--mode=wait', tool.chipPath, value] };
  const gpioset = ['gpioset', '--consumer', 'tallybook', '--chip', tool.chipPath, value];
  return { file: 'setpriv', args: ['--pdeathsig', 'KILL', ...gpioset] };
}

/** Turns lines off, lets them go, and ends at once. */
export function offCommand(tool: GpioTool, lines: readonly OutputLine[]): CommandLine {
  const values = lines.map((line) => setting(line, false));
  const args =
    tool.version === 1
      ? ['--mode=exit', tool.chipPath, ...values]
      : ['--toggle', '0', '--consumer', 'tallybook', '--chip', tool.chipPath, ...values];
  return { file: 'gpioset', args };
}

function setting({ offset, isActiveLow }: OutputLine, isOn: boolean): string {
  return `${offset}=${isOn === isActiveLow ? 0 : 1}`;
}
