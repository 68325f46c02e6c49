import { quote, TallybookError, type ErrorCode } from '@tallybook/domain';
import { invalidOption, type Range } from './device-url.js';
import { describeEnd, notInstalled, startProgram, type ProgramEnd } from './program.js';

/** Numbers of lines of a GPIO chip. */
export const LINE_RANGE: Range = { lowest: 0, highest: 1_023 };

/** Code of the fault: of a reader, or of an output. */
export type GpioFaultCode = Extract<ErrorCode, 'READER_DISCONNECTED' | 'OUTPUT_FAILED'>;

/** Why pins cannot be used. `lost` means that they were in use and no longer are. */
type GpioReason = 'lost' | 'missing' | 'permission' | 'busy' | 'line' | 'other';

/**
 * Messages of the tools of libgpiod. They are in English, whatever the language of the system is.
 *
 * @see gpiomon, gpioset and their common part in the sources of libgpiod 1.6.3 and 2.2.1.
 */
const REASONS: readonly (readonly [RegExp, GpioReason])[] = [
  [/resource busy/, 'busy'],
  [/Permission denied|Operation not permitted/, 'permission'],
  [/cannot find GPIO chip|No such file or directory|No such device$|Inappropriate ioctl/, 'missing'],
  [/out of range|Invalid argument/, 'line'],
];

const ADVICE: Readonly<Record<GpioReason, string>> = {
  lost: 'was lost',
  missing: 'is missing, or is no GPIO chip; "gpiodetect" lists all chips',
  permission:
    'may not be used by this user; add the user to the group that owns it ("sudo usermod -aG gpio USER" on a Raspberry Pi) and log in again',
  busy: 'has lines that another program uses ("gpioinfo" shows which); stop that program, or use other lines',
  line: 'does not have one of these lines; "gpioinfo" lists its lines',
  other: 'cannot be used',
};

/**
 * The fault of a chip whose lines cannot be used, with the reason in `details.reason`.
 *
 * @param chip The chip as in the settings.
 * @param text Message of the tool of libgpiod.
 */
export function createGpioFault(code: GpioFaultCode, chip: string, text: string): TallybookError {
  const reason = REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
  return createFault(code, chip, reason, reason === 'other' ? `: ${text}` : '');
}

/** The fault of a chip when the tool of libgpiod that used its lines has ended. */
export function createGpioLossFault(code: GpioFaultCode, chip: string, text: string): TallybookError {
  return createFault(code, chip, 'lost', `: ${text}`);
}

function createFault(code: GpioFaultCode, chip: string, reason: GpioReason, more: string): TallybookError {
  return new TallybookError(code, `the GPIO chip ${chip} ${ADVICE[reason]}${more}`, {
    details: { chip, reason },
  });
}

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
  if (end.how === 'missing') throw notInstalled(tool, 'GPIO lines need it', 'gpiod', end.cause);
  const major = VERSION.exec(lines[0] ?? '')?.[1];
  if (major === undefined) throw createGpioFault(code, chip, describeEnd(end));
  return { version: Number(major) < 2 ? 1 : 2, chipPath: await findChip(chip, code) };
}

/** @throws {TallybookError} `INVALID_OPTION` if it is not the path, the name or the label of a chip. */
export function checkChip(chip: string): string {
  if (/^\P{Cc}+$/u.test(chip)) return chip;
  throw invalidOption(
    `a GPIO chip is a path, a name or a label, such as gpiochip0; got ${quote(chip)}`,
    'path',
  );
}

/** The file of a chip that the settings give by its path or name; `undefined` for a label, which any chip may have. */
export function chipFile(chip: string): string | undefined {
  if (chip.includes('/')) return chip;
  return /^gpiochip[0-9]+$/.test(chip) ? `/dev/${chip}` : undefined;
}

async function findChip(chip: string, code: GpioFaultCode): Promise<string> {
  const file = chipFile(chip);
  if (file !== undefined) return file;
  const { labels, end } = await detectChips();
  const name = [...labels].find(([, label]) => label === chip)?.[0];
  if (name !== undefined) return `/dev/${name}`;
  // gpiodetect reports no error if there are only other chips, or none.
  const isSilent = end.how === 'exited' && end.lastWords === '';
  throw createGpioFault(code, chip, isSilent ? 'No such device' : describeEnd(end));
}

/** The labels of the GPIO chips, by their names; empty if libgpiod is not installed, or finds no chip. */
export async function readChipLabels(): Promise<ReadonlyMap<string, string>> {
  return (await detectChips()).labels;
}

async function detectChips(): Promise<{
  readonly labels: ReadonlyMap<string, string>;
  readonly end: ProgramEnd;
}> {
  const { lines, end } = await run('gpiodetect');
  const chips = lines.map((line) => CHIP.exec(line) ?? []);
  const labels = new Map(chips.flatMap(([, name, label]) => (name && label ? [[name, label] as const] : [])));
  return { labels, end };
}

async function run(
  file: string,
  ...args: readonly string[]
): Promise<{ readonly lines: readonly string[]; readonly end: ProgramEnd }> {
  const lines: string[] = [];
  const end = await startProgram(file, args, (line) => lines.push(line)).ended;
  return { lines, end };
}
