import { quote, TallybookError } from '@tallybook/domain';

/** Why there is no PC/SC reader. `lost` means that there was one before. */
export type PcscReason = 'lost' | 'missing' | 'no-service' | 'permission' | 'other';

/** The codes of `pcsc-mini`: the names of the codes of PC/SC. */
const REASONS: Readonly<Record<string, PcscReason>> = {
  NoService: 'no-service',
  ServiceStopped: 'no-service',
  CommError: 'no-service',
  NoAccess: 'permission',
  SecurityViolation: 'permission',
};

const ADVICE: Readonly<Record<PcscReason, string>> = {
  lost: 'was lost; plug the reader in again',
  missing: 'is missing; plug the reader in, or correct the name ("pcsc_scan -r" lists the readers)',
  'no-service':
    'cannot be reached because pcscd does not run; start it ("sudo systemctl enable --now pcscd.socket")',
  permission:
    'may not be used by this user; allow it to use pcscd with a rule for polkit (the actions org.debian.pcsc-lite)',
  other: 'cannot be used',
};

/**
 * The fault of a PC/SC reader, with the reason in `details.reason`.
 *
 * @param match Part of the name of the wanted reader; empty for any reader.
 */
export function createPcscFault(match: string, reason: PcscReason, cause?: unknown): TallybookError {
  const which = match === '' ? 'a PC/SC reader' : `the PC/SC reader ${quote(match)}`;
  const more = reason === 'other' ? `: ${cause instanceof Error ? cause.message : String(cause)}` : '';
  return new TallybookError('READER_DISCONNECTED', `${which} ${ADVICE[reason]}${more}`, {
    cause,
    details: { match, reason },
  });
}

/** The fault of a pcscd that cannot be reached, made of the error of `pcsc-mini`. */
export function createServiceFault(match: string, cause: unknown): TallybookError {
  return createPcscFault(match, REASONS[codeOf(cause)] ?? 'other', cause);
}

/**
 * The fault of a pcscd that was reached before and is gone. The library reports a reset connection as a lack of
 * permission.
 */
export function createLossFault(match: string, cause: unknown): TallybookError {
  const fault = createServiceFault(match, cause);
  return fault.details['reason'] === 'permission' ? createPcscFault(match, 'no-service', cause) : fault;
}

/** The name of an error of PC/SC, such as `NoService`; empty for any other error. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
