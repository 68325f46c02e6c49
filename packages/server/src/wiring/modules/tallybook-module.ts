import { setImmediate as endOfTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { ContainerModule } from 'inversify';
import { Calendar, createTallybook, isTallybookError, Timekeeper, type Feature } from '@tallybook/domain';
import { access } from '@tallybook/domain/access';
import { personal } from '@tallybook/domain/personal';
import { record } from '@tallybook/domain/record';
import { sync } from '@tallybook/domain/sync';
import { isCommonPassword } from '@tallybook/system';
import { BackupFolder } from '../../backup/backup-folder.js';
import { isLoopback } from '../../config/loopback.js';
import { RELEASED_AT } from '../../config/released-at.js';
import { repairerOf } from '../../config/stores.js';
import { readVersion } from '../../version.js';
import { createIdentityProvider, identityRulesOf } from '../identity-provider.js';
import { moduleOf } from '../module-of.js';
import type { ServedTallybook, Services } from '../services.js';

/**
 * Bytes of heap for each tag in a table. A row takes 300. The rest is for others: two files, a table and a day may be read at a
 * time.
 */
export const HEAP_OF_PERSON = 2_000;

/** All services of the domain, in one part. */
export const tallybookModule: ContainerModule = moduleOf({
  calendar: ({ config }) => new Calendar(config),
  timekeeper: ({ clock }) => new Timekeeper(clock, { builtAt: RELEASED_AT }),
  tallybook: (services) => {
    const { storage, clock, calendar, timekeeper, config, upstream, publishers, indicators, indicator } =
      services;
    const { repeatWindowMs, backlogLimit } = config;
    const tallybook: ServedTallybook = createTallybook({
      ...{ storage, clock, calendar, timekeeper, attendance: { repeatWindowMs, backlogLimit } },
      readers: services.idSources,
      outputs: [...publishers, ...indicators, ...(indicator === undefined ? [] : [indicator])],
      with: [recordOf(services), accessOf(services), personalOf(services), ...syncOf(services)],
      report: ({ part, device, isMissing, error }) => {
        const { log, accessLog } = services;
        if (part === 'access') accessLog.noteFault(error);
        if (part === 'closing')
          log.error({ err: error }, 'a part of the service could not be closed after a start that failed');
        // Other faults of devices and of the recording have logs of their own.
        if (isMissing !== true || !isTallybookError(error)) return;
        const { code, message } = error;
        log.error({ [part]: device, code }, `${message}; the service runs without it until the next start`);
      },
    }) as ServedTallybook;
    if (tallybook.station !== undefined) upstream.follow(tallybook.station);
    return tallybook;
  },
});

function recordOf({ storage: { corrections }, config, secrets }: Services): Feature {
  return record({
    corrections: corrections !== undefined && { needsApproval: config.approveCorrections },
    digest: (text) => secrets.digest(text),
    pause: () => endOfTurn(),
    maxTags: getHeapStatistics().heap_size_limit / HEAP_OF_PERSON,
    // The server has more parts whose health it shows.
    health: false,
  });
}

function accessOf(services: Services): Feature {
  const { config, timekeeper, log, secrets, passkeyVerifier: passkeys, accessLog } = services;
  const provider = services.identityProvider ?? createIdentityProvider(config, timekeeper, log);
  // Only programs on this machine reach a loopback address. But if people sign in at a provider, others reach the service through
  // a proxy.
  const isPrivate = isLoopback(config.host) && provider === undefined;
  return access({
    ...{ secrets, isCommonPassword, passkeys, requiresClaim: !config.isInsecure && !isPrivate },
    identityRules: identityRulesOf(config),
    onAct: (actor, action, details) => accessLog.note(actor, action, details),
    ...(provider !== undefined && { provider }),
  });
}

function personalOf({ storage, config, upstream }: Services): Feature {
  const { keep, keepGuests, backupFolder } = config;
  // A station does not know on which days a guest was elsewhere.
  const isStation = upstream.transport !== undefined;
  return personal({
    ...(keep !== undefined && { keep }),
    ...(keepGuests !== 'never' && !isStation && { keepGuests }),
    ...(backupFolder !== undefined && { backups: (backup) => new BackupFolder(backupFolder, backup) }),
    ...(storage.erasures === undefined && { erasures: false }),
  });
}

/**
 * At a station, sending to its centre; else taking batches, as a centre. A station cannot be a centre: its own centre would
 * overwrite changes of its stations.
 */
function syncOf({ storage, config, upstream: { transport, host } }: Services): readonly Feature[] {
  const pause = (): Promise<void> => endOfTurn();
  if (transport !== undefined) return [sync({ transport, host, pause, version: readVersion() })];
  const { approveCorrections: needsApproval, store } = config;
  // `tallybook repair` works only on a store on a disk.
  const centre = sync({ needsApproval, isRepairable: repairerOf(store) === undefined, pause });
  const facets = storage as object as Readonly<Record<string, unknown>>;
  return centre.needs.every((facet) => facets[facet] !== undefined) ? [centre] : [];
}
