import type { Publisher } from '@tallybook/devices';
import {
  worstOf,
  type AuditTrail,
  type HealthCheck,
  type NamedFinding,
  type StationRecord,
  type Timekeeper,
} from '@tallybook/domain';
import type { UpstreamStatus } from '@tallybook/http-koa';
import type { ScheduledBackup } from '../backup/scheduled-backup.js';

/** Below so many bytes left there is something to do. */
const DISK_WARN_BYTES = 200_000_000;
/** Below so many bytes left a database may find no room for its own work. */
const DISK_FAIL_BYTES = 50_000_000;
/** A backup is overdue when the latest one is older than so many times the time between two. */
const BACKUP_OVERDUE = 2;

/** How much room there is on the disk of the store. */
export function diskCheck(readFreeBytes: () => Promise<number | undefined>): HealthCheck {
  return {
    part: 'disk',
    check: async () => {
      const freeBytes = await readFreeBytes();
      if (freeBytes === undefined)
        return { status: 'warn', detail: 'the file system does not tell its free space' };
      if (freeBytes >= DISK_WARN_BYTES) return { status: 'ok' };
      const detail = `${Math.floor(freeBytes / 1_000_000)} MB are left; free some space`;
      return { status: freeBytes < DISK_FAIL_BYTES ? 'fail' : 'warn', detail };
    },
  };
}

/** Whether each publisher reaches its receiver. */
export function publishersCheck(publishers: readonly Publisher[]): HealthCheck {
  return {
    part: 'publishers',
    check: async () => {
      const items = await Promise.all(publishers.map(findingOf));
      return { status: worstOf(items.map(({ status }) => status)), items };
    },
  };
}

async function findingOf(publisher: Publisher): Promise<NamedFinding> {
  const { name, connection } = publisher;
  if (connection === 'connected') return { name, status: 'ok' };
  const waiting = await publisher.countWaiting();
  return { name, status: 'warn', detail: `its receiver takes nothing; at most ${waiting} changes wait` };
}

/** Whether the centre is reached, and takes what it gets. */
export function upstreamCheck(read: () => Promise<UpstreamStatus | undefined>): HealthCheck {
  return {
    part: 'upstream',
    check: async () => {
      const upstream = await read();
      if (upstream === undefined) return { status: 'ok' };
      const { connection, waiting, refusedCount, lastFault } = upstream;
      if (connection === 'waiting' && lastFault !== undefined) {
        return { status: 'warn', detail: `${lastFault.message}; ${waiting} changes wait to be sent` };
      }
      if (refusedCount === 0) return { status: 'ok' };
      return { status: 'warn', detail: `the centre refused ${refusedCount} changes since the start; see the page` };
    },
  };
}

/** A station that is not heard for so long is worth a look, in seconds. Over night one may be switched off. */
const STATION_SILENT_S = 86_400;

/** Whether each station sends, and nothing of it was refused. */
export function stationsCheck(
  list: () => Promise<readonly StationRecord[]>,
  timekeeper: Pick<Timekeeper, 'now'>,
): HealthCheck {
  return {
    part: 'stations',
    check: async () => {
      const now = timekeeper.now();
      const items = (await list()).map((station) => findingOfStation(station, now));
      return { status: worstOf(items.map(({ status }) => status)), items };
    },
  };
}

function findingOfStation({ name, heardAt, status, refused }: StationRecord, now: number): NamedFinding {
  const silentS = now - heardAt;
  if (silentS > STATION_SILENT_S) {
    const detail = `not heard for ${Math.floor(silentS / 3_600)} hours; ${status.waiting} changes waited then`;
    return { name, status: 'warn', detail };
  }
  const last = refused.at(-1);
  if (last !== undefined) {
    return { name, status: 'warn', detail: `${refused.length} changes were refused, at last: ${last.message}` };
  }
  if (!status.isClockTrusted) return { name, status: 'warn', detail: 'its clock may be wrong' };
  return { name, status: 'ok' };
}

/** Whether the latest backup is young enough, and was possible. */
export function backupCheck(backup: Pick<ScheduledBackup, 'state'>, everyMs: number): HealthCheck {
  return {
    part: 'backup',
    check: () => {
      const { ageMs, hasFailed } = backup.state;
      if (hasFailed) return { status: 'warn', detail: 'the last attempt failed; the log says why' };
      if (ageMs === undefined) return { status: 'ok', detail: 'how old the latest is will be known later' };
      const isOverdue = ageMs > BACKUP_OVERDUE * everyMs;
      return isOverdue
        ? { status: 'warn', detail: `the latest is ${Math.floor(ageMs / 3_600_000)} hours old` }
        : { status: 'ok' };
    },
  };
}

/** Whether everything that is to be noted in the audit trail was noted. */
export function auditCheck(trail: Pick<AuditTrail, 'unwritten'>): HealthCheck {
  return {
    part: 'audit',
    check: () =>
      trail.unwritten === 0
        ? { status: 'ok' }
        : { status: 'warn', detail: `${trail.unwritten} actions wait to be noted in the audit trail` },
  };
}

/**
 * Who gets in: `loopback`, programs of this machine; `claimed`, who signs in here or at a proxy; `unclaimed`, nobody until somebody claims the
 * service; `insecure`, everybody.
 */
export type Openness = 'loopback' | 'claimed' | 'unclaimed' | 'insecure';

/** Whether everybody gets in. */
export function accessCheck(openness: () => Openness): HealthCheck {
  const findings = {
    loopback: { status: 'ok' },
    claimed: { status: 'ok' },
    unclaimed: {
      status: 'warn',
      detail: 'nobody has claimed the service yet: see the setup code on its console',
    },
    insecure: {
      status: 'warn',
      detail: 'there is no password: everybody who can reach this service can do everything',
    },
  } as const;
  return { part: 'access', check: () => findings[openness()] };
}
