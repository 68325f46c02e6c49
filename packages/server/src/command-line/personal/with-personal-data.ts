import { setImmediate } from 'node:timers/promises';
import { SystemClock } from '@tallybook/system';
import {
  AttendanceService,
  Calendar,
  learnLatestScan,
  openAll,
  TallybookError,
  Timekeeper,
  type AuditNotes,
  type TallyId,
} from '@tallybook/domain';
import { BackupService, CorrectedDayStore, PeopleDirectory, TagFinder } from '@tallybook/domain/record';
import {
  auditSection,
  dataOfPerson,
  ErasureService,
  formatKeep,
  personData,
  personOfTag,
  RetentionService,
} from '@tallybook/domain/personal';
import { noteAsOwner } from '../../audit/command-trail.js';
import { BackupFolder } from '../../backup/backup-folder.js';
import { RELEASED_AT } from '../../config/released-at.js';
import { createStorage, describeStore, requireStore, storeFolderOf } from '../../config/stores.js';
import { advising, ofCommand } from '../of-command.js';
import { requireRecordHere } from '../../wiring/record-place.js';
import { findOwner } from '../access/with-owner.js';
import { typedIdsOf } from '../questions.js';
import type { PersonalConfig, PersonalData } from './personal-data.js';
import { ServedPersonalData } from './served-personal-data.js';

/** The actor of a command in the audit trail. */
const ACTOR = 'console';

/**
 * Works with the data of persons: through the service that has the store open, if there is one, else in the store itself.
 * Rejects with the errors of opening the store and of the work.
 *
 * @param path The path of the same work in the HTTP interface, for the message if the store is locked.
 */
export async function withPersonalData<T>(
  config: PersonalConfig,
  path: string,
  work: (data: PersonalData) => Promise<T>,
): Promise<T> {
  const { store, clock, backupFolder, keep, keepGuests, upstream } = config;
  await requireStore(store);
  const storage = createStorage(store, ofCommand);
  const { mapping, people, provisional, erasures, corrections, journal } = storage;
  // A day is removed with its corrections.
  const days = new CorrectedDayStore({ days: storage.days, corrections });
  const backups =
    backupFolder === undefined ? undefined : new BackupFolder(backupFolder, new BackupService(storage));
  const client = await findOwner(store);
  if (client !== undefined) return work(new ServedPersonalData(client, { keep, backups }));
  const systemClock = new SystemClock({ isTrusted: clock === 'trusted' });
  const timekeeper = new Timekeeper(systemClock, { builtAt: RELEASED_AT });
  const calendar = new Calendar(config);
  await using _opened = await advising(`; or ask the running server: ${path}`, () =>
    openAll([systemClock, storage]),
  );
  await requireRecordHere(storage, describeStore(store));
  await learnLatestScan({ days, calendar, timekeeper, tapTimes: journal });
  // The service is not opened, because it would file provisional scans. Removing days works while it is closed.
  const attendance = new AttendanceService({
    ...{ days, mapping, provisional, erasures, calendar, timekeeper, tapTimes: journal },
  });
  const notes: AuditNotes = { note: (_, action, details = {}) => noteAsOwner(storage, action, details) };
  return await work({
    searched: backupFolder === undefined ? undefined : `in ${backupFolder}`,
    isInDatabase: storeFolderOf(store) === undefined,
    look: (text, format) =>
      new TagFinder({ typed: typedIdsOf(config), mapping, days, journal }).look(text, format),
    erase: ({ ids, persons }, { isDryRun }) => {
      const parts = { erasures, people, timekeeper, audit: notes, ...(backups && { backups }) };
      return new ErasureService(parts).erase(ids, { persons, isDryRun, actor: ACTOR });
    },
    show: async (id) => {
      const directory = new PeopleDirectory({
        ...{ people, mapping, days, calendar, timekeeper, pause: setImmediate },
      });
      const person = await directory.person(id);
      if (person === undefined) throw new TallybookError('PERSON_NOT_FOUND', 'there is no such person');
      return person;
    },
    nameOf: (id) => mapping.get(id),
    async *person(wanted) {
      await notes.note(ACTOR, 'person-exported');
      const madeAt = timekeeper.trust().isTrusted ? timekeeper.now() : undefined;
      const parts = { erasures, people, sections: [auditSection(storage.audit)] };
      const holder = typeof wanted === 'string' ? await personOfTag(people, wanted) : wanted.person;
      yield* holder === undefined
        ? personData(wanted as TallyId, madeAt, parts)
        : dataOfPerson(holder, madeAt, parts);
    },
    retention: async ({ isDryRun, isConfirmed }) => {
      const guests =
        keepGuests === 'never' || upstream !== undefined
          ? undefined
          : { keep: keepGuests, people, erasures, attendance };
      const service = new RetentionService(
        {
          ...{ days, provisional, corrections, attendance, calendar, timekeeper, audit: notes },
          ...(backups && { backups }),
          ...(guests && { guests }),
        },
        keep,
      );
      const report = await (isDryRun ? service.plan() : service.apply({ isConfirmed, actor: ACTOR }));
      const { keep: kept, keepGuests: keptGuests } = report;
      return {
        ...report,
        keep: kept && formatKeep(kept),
        keepGuests: keptGuests && formatKeep(keptGuests),
      };
    },
  });
}
