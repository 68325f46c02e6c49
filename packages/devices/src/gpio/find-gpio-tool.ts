import { TallybookError } from '@tallybook/domain';
import { describeEnd, startProgram, type ProgramEnd } from '../program.js';
import { createGpioFault, type GpioFaultCode } from './gpio-fault.js';

/** A tool of libgpiod: the command lines of 1.x and 2.x differ. */
export interface GpioTool {
  readonly version: 1 | 2;
  /** Path of the chip, such as `/dev/gpiochip0`. Both versions accept a path. */
  readonly chipPath: string;
}

const VERSION = /\(libgpiod\) v([0-9]+)\./;
/** A line of `gpiodetect`: `gpiochip0 [pinctrl-rp1] (54 lines)`, in both versions. */
const CHIP = /^(\S+) \[(.*)\] \([0-9]+ lines\)$/;

/**
 * Finds the installed version of libgpiod, and the path of a chip. Each attempt does this again, because the numbers of
 * chips can change, as they did on the Raspberry Pi 5 with a new kernel.
 *
 * @param chip A path, a name such as `gpiochip0`, or a label such as `pinctrl-rp1`.
 * @param code Code of the fault if the chip cannot be found.
 * @throws {TallybookError} `INVALID_OPTION` if the tool is not installed. If the chip cannot be found, a fault with
 * this `code`, as of {@link createGpioFault}.
 */
export async function findGpioTool(
  tool: 'gpiomon' | 'gpioset',
  chip: string,
  code: GpioFaultCode,
): Promise<GpioTool> {
  const { lines, end } = await run(tool, '--version');
  if (end.how === 'missing') {
    throw new TallybookError(
      'INVALID_OPTION',
      `${tool} is not installed, and GPIO lines need it; install it with "sudo apt install gpiod"`,
      { cause: end.cause, details: { reason: 'not-installed' } },
    );
  }
  const major = VERSION.exec(lines[0] ?? '')?.[1];
  if (major === undefined) throw createGpioFault(code, chip, describeEnd(end));
  return { version: Number(major) < 2 ? 1 : 2, chipPath: await findChip(chip, code) };
}

/** The file of a chip that the settings give by its path or name; `undefined` for a label, which any chip may have. */
export function chipFile(chip: string): string | undefined {
  if (chip.includes('/')) return chip;
  return /^gpiochip[0-9]+$/.test(chip) ? `/dev/${chip}` : undefined;
}

async function findChip(chip: string, code: GpioFaultCode): Promise<string> {
  const file = chipFile(chip);
  if (file !== undefined) return file;
  const { lines, end } = await run('gpiodetect');
  const name = lines.map((line) => CHIP.exec(line)).find((match) => match?.[2] === chip)?.[1];
  if (name !== undefined) return `/dev/${name}`;
  // gpiodetect reports no error if there are only other chips, or none.
  const isSilent = end.how === 'exited' && end.lastWords === '';
  throw createGpioFault(code, chip, isSilent ? 'No such device' : describeEnd(end));
}

async function run(
  file: string,
  ...args: readonly string[]
): Promise<{ readonly lines: readonly string[]; readonly end: ProgramEnd }> {
  const lines: string[] = [];
  const end = await startProgram(file, args, (line) => lines.push(line)).ended;
  return { lines, end };
}
