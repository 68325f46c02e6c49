import type { AuditAction, AuditDetails, Clock } from '@tallybook/domain';
import type { HttpAccessOptions } from '@tallybook/http-koa';
import type { Log } from './log.js';
import { MeteredLog } from './metered-log.js';

/** The log line of each action. Other actions are not logged here. */
const messages: Readonly<Partial<Record<AuditAction, readonly [level: 'info' | 'warn', message: string]>>> = {
  claimed: ['info', 'the service was claimed: it has its first user'],
  'setup-refused': ['warn', 'setup code refused'],
  'signed-in': ['info', 'signed in'],
  'sign-in-refused': ['warn', 'sign-in refused'],
  'user-added': ['info', 'user added'],
  'user-changed': ['info', 'user changed'],
  'user-removed': ['info', 'user removed'],
  'token-added': ['info', 'token added'],
  'credential-revoked': ['info', 'session or token ended by somebody'],
};

/** Logs sign-ins and changes of access, never a secret. Repeated guesses of passwords do not fill the disk. */
export class AccessLog {
  readonly #log: MeteredLog;

  constructor(log: Log, clock: Clock) {
    this.#log = new MeteredLog(log, clock);
  }

  note(actor: string, action: AuditAction, details: AuditDetails = {}): void {
    const [level, message] = messages[action] ?? [];
    if (level !== undefined && message !== undefined)
      this.#log.write(action, level, { actor, ...details }, message);
  }

  noteFault(err: unknown): void {
    this.#log.write('fault', 'error', { err }, 'users, sessions or tokens could not be read or noted');
  }
}

export type ReportMisfit = HttpAccessOptions['reportMisfit'] & object;

const HOUR_MS = 3_600_000;

/** Logs headers that do not fit, each at most once an hour. Their content may be a name, so it is not logged. */
export function logMisfits(log: Log, clock: Clock): ReportMisfit {
  const loggedAtMs = new Map<string, number>();
  return (header, expected, sender) => {
    const nowMs = clock.monotonicMs();
    const kind = `${header} ${expected}`;
    if (nowMs - (loggedAtMs.get(kind) ?? -HOUR_MS) < HOUR_MS) return;
    loggedAtMs.set(kind, nowMs);
    const details = { header, expected, ...(sender !== undefined && { sender }) };
    log.warn(details, `the header ${header} was ignored: expected ${expected}`);
  };
}
