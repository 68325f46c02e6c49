import { TallybookError, type ErrorCode } from '@tallybook/domain';

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
