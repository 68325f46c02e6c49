import type { DeviceRegistry, Publisher, ServedStorage, StorageRegistration } from '@tallybook/devices';
import { counted } from '@tallybook/domain';
import {
  warning,
  worstOf,
  type Finding,
  type HealthCheck,
  type NamedFinding,
} from '@tallybook/domain/record';
import type { AuditTrail } from '@tallybook/domain/access';
import type { ScheduledBackup } from '../backup/scheduled-backup.js';

/** With fewer free bytes than this, the status is `warn`. */
const DISK_WARN_BYTES = 200_000_000;
/** With fewer free bytes than this, a database may have no space for its own work. */
const DISK_FAIL_BYTES = 50_000_000;
/** A backup is overdue when the latest one is older than this many times the time between two backups. */
const BACKUP_OVERDUE = 2;

/** Checks the free space on the disk of the store. */
export function diskCheck(readFreeBytes: () => Promise<number | undefined>): HealthCheck {
  return {
    part: 'disk',
    check: async () => {
      const freeBytes = await readFreeBytes();
      if (freeBytes === undefined)
        return { status: 'warn', detail: 'the file system does not report its free space' };
      if (freeBytes >= DISK_WARN_BYTES) return { status: 'ok' };
      const detail = `${Math.floor(freeBytes / 1_000_000)} MB are left; free some space`;
      return { status: freeBytes < DISK_FAIL_BYTES ? 'fail' : 'warn', detail };
    },
  };
}

/** Checks whether each publisher reaches its receiver. */
export function publishersCheck(publishers: readonly Publisher[]): HealthCheck {
  return {
    part: 'publishers',
    check: async () => {
      const items = await Promise.all(publishers.map(findingOf));
      return { status: worstOf(items.map(({ status }) => status)), items };
    },
  };
}

/** What the adapters of devices themselves say of the devices that they made, one check for each adapter that says something. */
export function adapterChecks<Device extends { readonly name: string }>(
  kind: string,
  registry: DeviceRegistry<Device, never>,
  devices: readonly Device[],
): readonly HealthCheck[] {
  const makers = new Set(devices.map((device) => registry.makerOf(device)));
  return [...makers].flatMap((maker) => {
    if (maker?.health === undefined) return [];
    const made = devices.filter((device) => registry.makerOf(device) === maker);
    const check = async (): Promise<Finding> => {
      const items = await Promise.all(
        made.map(
          async (device) => ({ name: device.name, ...(await maker.health?.(device)) }) as NamedFinding,
        ),
      );
      return { status: worstOf(items.map(({ status }) => status)), items };
    };
    return [{ part: `${kind}-${maker.scheme}`, check }];
  });
}

/** What the adapter of the storage itself says of it, if it says something. */
export function storageCheck(
  stores: readonly StorageRegistration[],
  url: string,
  storage: ServedStorage,
): readonly HealthCheck[] {
  const found = stores.find(({ scheme }) => url.startsWith(`${scheme}:`));
  if (found?.health === undefined) return [];
  const check = (): Finding | Promise<Finding> => found.health?.(storage) ?? { status: 'ok' };
  return [{ part: `storage-${found.scheme}`, check }];
}

async function findingOf(publisher: Publisher): Promise<NamedFinding> {
  const { name, connection, stopped, setAside } = publisher;
  if (stopped !== undefined) return { name, status: 'fail', detail: stopped.message };
  if (connection === 'connected' && setAside === 0) return { name, status: 'ok' };
  if (connection === 'connected') {
    const it = setAside === 1 ? 'it' : 'them';
    const changes = counted(setAside, 'change is', 'changes are');
    const detail = `${changes} set aside, because the receiver refused ${it}; correct the receiver, and send ${it} again`;
    return { name, status: 'warn', detail };
  }
  const waiting = await publisher.countWaiting();
  return {
    name,
    status: 'warn',
    detail: `its receiver takes nothing; at most ${counted(waiting, 'change waits', 'changes wait')}`,
  };
}

/** Checks whether the latest backup is recent enough, and whether the last attempt succeeded. */
export function backupCheck(backup: Pick<ScheduledBackup, 'state'>, everyMs: number): HealthCheck {
  return {
    part: 'backup',
    check: () => {
      const { ageMs, hasFailed } = backup.state;
      if (hasFailed) return { status: 'warn', detail: 'the last attempt failed; the log says why' };
      if (ageMs === undefined)
        return { status: 'ok', detail: 'the age of the latest backup is not known yet' };
      const isOverdue = ageMs > BACKUP_OVERDUE * everyMs;
      const age = `the latest is ${counted(Math.floor(ageMs / 3_600_000), 'hour')} old`;
      return warning(isOverdue ? age : undefined);
    },
  };
}

/** Checks whether all entries of the audit trail were written. */
export function auditCheck(trail: Pick<AuditTrail, 'unwritten'>): HealthCheck {
  return {
    part: 'audit',
    check: () => {
      const waiting = counted(trail.unwritten, 'action waits', 'actions wait');
      return warning(trail.unwritten === 0 ? undefined : `${waiting} to be noted in the audit trail`);
    },
  };
}

/**
 * Who has access. `loopback`: programs on this machine. `claimed`: people who sign in here or at a proxy. `unclaimed`: nobody
 * until somebody sets the service up. `insecure`: everybody.
 */
export type Openness = 'loopback' | 'claimed' | 'unclaimed' | 'insecure';

/** Checks whether everybody has access. */
export function accessCheck(openness: () => Openness): HealthCheck {
  const findings = {
    loopback: undefined,
    claimed: undefined,
    unclaimed: 'nobody has claimed the service yet: see the setup code on its console',
    insecure: 'there is no password: everybody who can reach this service can do everything',
  } as const;
  return { part: 'access', check: () => warning(findings[openness()]) };
}
