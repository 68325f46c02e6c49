import {
  array,
  boolean,
  component,
  either,
  integer,
  object,
  oneOf,
  optional,
  orNull,
  string,
  type TypeOf,
} from '../schema.js';
import { empty, fields, json, operation, refusal } from '../operation.js';

/** The settings that a page can change, in the order of the reference. */
export const storedSettings = [
  'name',
  'zone',
  'dayStart',
  'keep',
  'keepGuests',
  'readers',
  'backup',
] as const;
export type StoredSetting = (typeof storedSettings)[number];

const value = (description: string) => orNull(either([string(), array(string())]), description);

const SettingState = component(
  'SettingState',
  {
    name: oneOf(storedSettings),
    inUse: value('The value since the start; null: not set. `readers` has a list.'),
    stored: value('The value that is stored here, for the next start; null: none is stored.'),
    source: oneOf(
      ['given', 'stored', 'default'],
      'Where `inUse` comes from. `given`: from a flag, a variable or the settings file, which win and cannot be changed here.',
    ),
  },
  'A setting that can be stored with the record.',
);
export type SettingState = TypeOf<typeof SettingState>;

const Settings = component(
  'Settings',
  {
    settings: array(SettingState, 'Each of the settings, in a fixed order.'),
    isAsked: boolean('Whether somebody has stored settings, or decided to store none.'),
    needsRestart: boolean('Whether the next start will use another value than now.'),
    canRestart: boolean('Whether `POST /api/restart` restarts the service.'),
    systemZone: orNull(string(), 'Time zone of the operating system; null if it is not known.'),
  },
  'Settings that are stored with the record, and those in use.',
);
export type Settings = TypeOf<typeof Settings>;

const FoundReader = component(
  'FoundReader',
  {
    title: string('Kind of the reader, such as `Serial ports`.'),
    url: string('The URL of the reader, as the setting `readers` takes it.'),
    path: string('The device.'),
    label: orNull(string(), 'What the device says of itself.'),
    isUsable: boolean('Whether the service may open it.'),
    why: orNull(string(), 'Why it cannot be used, and what to do; null if it can.'),
    holder: orNull(string(), 'The program that holds it open; null if none does, or none is seen.'),
    isInUse: boolean('Whether this service reads from it.'),
  },
  'A reader that was found on this machine.',
);
export type FoundReader = TypeOf<typeof FoundReader>;

const ReaderTrial = component(
  'ReaderTrial',
  {
    raw: orNull(string(), 'What the reader delivered, before it became an id; null if it delivers no text.'),
    id: orNull(string(), 'The id of the tag; null if none came.'),
    faults: array(object({ code: string(), message: string() }), 'Faults of the reader during the trial.'),
  },
  'Result of the trial of a reader.',
);
export type ReaderTrial = TypeOf<typeof ReaderTrial>;

const BackupPlace = component(
  'BackupPlace',
  {
    path: string('The folder where the file system is mounted.'),
    freeBytes: integer(),
    isRemovable: boolean('Whether it is a stick or a card that can be removed.'),
  },
  'A file system for backups, besides that of the store.',
);
export type BackupPlace = TypeOf<typeof BackupPlace>;

/** Longest time for which a trial waits for a tag, in seconds. */
export const READER_TRIAL_SECONDS = 20;

const text = (description: string) => optional(orNull(string(), description));

/** Settings that a page changes, and what it needs to propose them. */
export const settingOperations = {
  'GET /api/settings': operation({
    id: 'readSettings',
    summary: 'Settings that are stored with the record: those in use, and those for the next start',
    action: 'manage-settings',
    answers: { 200: json(Settings) },
  }),
  'PUT /api/settings': operation({
    id: 'storeSettings',
    summary: 'Store settings for the next start; null is the default again. All or none',
    action: 'manage-settings',
    body: fields(
      {
        name: text('Name of the place, 1 to 80 characters.'),
        zone: text('IANA time zone of the days.'),
        dayStart: text('Time of day at which a day begins: `HH:MM`.'),
        keep: text('How long days are kept, such as `24months`; null: for ever.'),
        keepGuests: text('How long guests are kept after their last day, or `never`.'),
        readers: optional(orNull(array(string()), 'URLs of the readers.')),
        backup: text('Folder for backups; null: no backups.'),
      },
      'NewSettings',
    ),
    invalid:
      'A value is not allowed (`INVALID_SETTING`, and the message begins with the name of the setting), or the folder for backups cannot be written.',
    answers: {
      200: json(
        Settings,
        'Stored. Absent settings were not changed; an empty object changes only `isAsked`.',
      ),
      409: refusal('A flag, a variable or the settings file gives this setting (`SETTING_FIXED`).'),
    },
  }),
  'GET /api/settings/readers': operation({
    id: 'findReaders',
    summary: 'Readers that were found on this machine, as `tallybook doctor` finds them',
    action: 'manage-settings',
    answers: { 200: json(array(FoundReader)) },
  }),
  'POST /api/settings/reader-trial': operation({
    id: 'tryReader',
    summary: `Try a reader: wait at most ${READER_TRIAL_SECONDS} seconds for one tag, which is not recorded. It ends when the client disconnects`,
    action: 'manage-settings',
    body: fields({ reader: string('URL of the reader.') }, 'ReaderTrialRequest'),
    invalid: 'The URL is not one of a reader that can be tried (`INVALID_SETTING`).',
    answers: {
      200: json(ReaderTrial, 'The first tag, or what happened instead.'),
      409: refusal('Another trial is running (`READER_BUSY`).'),
    },
  }),
  'GET /api/settings/backup-places': operation({
    id: 'findBackupPlaces',
    summary: 'Mounted file systems that a backup could go to, besides that of the store',
    action: 'manage-settings',
    answers: { 200: json(array(BackupPlace)) },
  }),
  'POST /api/restart': operation({
    id: 'restart',
    summary: 'Restart the service, if systemd supervises it',
    action: 'manage-settings',
    answers: {
      202: empty('It stops now, and systemd starts it again. Empty body.'),
      409: refusal('Nothing would start the service again (`RESTART_UNAVAILABLE`).'),
    },
  }),
};
