import { execFile, type ExecFileException } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * What systemd says of the clock:
 *
 * - `synchronised`: a time server has set it, whoever asked the server (systemd-timesyncd, chrony, ntpd);
 * - `waiting`: a service that sets it is running, and has not been successful yet;
 * - `switched-off`: there is such a service, and it is not running;
 * - `silent`: there is no such service, or no systemd.
 */
export type TimeStatus = 'synchronised' | 'waiting' | 'switched-off' | 'silent';

/** See `sd_booted(3)`. */
const SYSTEMD_FOLDER = '/run/systemd/system';
const ARGUMENTS = ['show', '--property=NTPSynchronized', '--property=NTP', '--property=CanNTP'];

/**
 * Asks systemd. Never rejects.
 *
 * `NTPSynchronized` is what the kernel was told last (its maximum error is below 16 seconds), so it is right for any
 * time service, also one that systemd does not know.
 *
 * @param program `timedatectl` itself.
 * @param timeoutMs After this time it is killed. No answer, and a failure, is taken for `waiting`: a device that has just
 * started is slow, and a clock that nobody has vouched for is not to be believed.
 * @param signal Kills it too.
 * @param systemdFolder What is there exactly when systemd runs the system.
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
    // Without systemd the program fails, or is missing. With it, a failure says nothing, like no answer.
    return code === 'ENOENT' || !existsSync(systemdFolder) ? 'silent' : 'waiting';
  }
}

function parseStatus(text: string): TimeStatus {
  const lines = text.split('\n');
  if (lines.includes('NTPSynchronized=yes')) return 'synchronised';
  if (lines.includes('NTP=yes')) return 'waiting';
  return lines.includes('CanNTP=yes') ? 'switched-off' : 'silent';
}
