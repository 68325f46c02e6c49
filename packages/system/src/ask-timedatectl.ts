import { execFile, type ExecFileException } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * State of the clock according to systemd:
 *
 * - `synchronised`: a time server has set it, through any service (systemd-timesyncd, chrony, ntpd);
 * - `waiting`: a time service runs, but has not reached a server yet;
 * - `switched-off`: there is a time service, but it does not run;
 * - `silent`: there is no time service, or no systemd.
 */
export type TimeStatus = 'synchronised' | 'waiting' | 'switched-off' | 'silent';

/** See `sd_booted(3)`. */
const SYSTEMD_FOLDER = '/run/systemd/system';
const ARGUMENTS = ['show', '--property=NTPSynchronized', '--property=NTP', '--property=CanNTP'];

/**
 * Asks systemd. Never rejects.
 *
 * `NTPSynchronized` comes from the kernel (the maximum error of its clock is below 16 seconds), so it is right for any
 * time service, even one that systemd does not know.
 *
 * @param program Path of `timedatectl`.
 * @param timeoutMs Milliseconds after which the program is killed. No answer counts as `waiting`, and so does a failure
 * under systemd: a device that has just started is slow, and an unconfirmed clock is not trusted.
 * @param signal Kills the program when it is aborted.
 * @param systemdFolder A folder that exists only if systemd runs the system.
 */
export async function askTimedatectl(
  program: string,
  timeoutMs: number,
  signal: AbortSignal,
  systemdFolder: string = SYSTEMD_FOLDER,
): Promise<TimeStatus> {
  try {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL', signal } as const;
    return parseStatus((await promisify(execFile)(program, ARGUMENTS, options)).stdout);
  } catch (error) {
    const { code, killed } = error as Omit<ExecFileException, 'code'> & { readonly code?: unknown };
    if (killed === true) return 'waiting';
    // Without systemd, the program fails or is missing. With systemd, a failure means as little as no answer.
    return code === 'ENOENT' || !existsSync(systemdFolder) ? 'silent' : 'waiting';
  }
}

function parseStatus(text: string): TimeStatus {
  const lines = text.split('\n');
  if (lines.includes('NTPSynchronized=yes')) return 'synchronised';
  if (lines.includes('NTP=yes')) return 'waiting';
  return lines.includes('CanNTP=yes') ? 'switched-off' : 'silent';
}
