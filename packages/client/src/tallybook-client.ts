import { EventStream, type EventStreamOptions } from './events/event-stream.js';
import type {
  CallOptions,
  CsvOptions,
  DryRunOptions,
  FormatOptions,
  ImportOptions,
  NameList,
  ReadOptions,
  XlsxOptions,
} from './requests/call-options.js';
import { Calls } from './requests/calls.js';
import { Transport, type Download, type Query, type TransportOptions } from './requests/transport.js';
import { readJson, type ReadJson } from './requests/read-answer.js';
import type {
  Credential,
  NewToken,
  NewUser,
  Session,
  Token,
  User,
  AuditPage,
  Passkey,
  PasskeyOptions,
} from './values/access.js';
import type { Correction, CorrectionDecision, NewCorrection, Scans } from './values/corrections.js';
import type { AttendanceDay, DayChoice, DetailedDay, Table, TimeRange, Today } from './values/days.js';
import type { IdReadings, ImportReport, Mapping, Name, TallyId, UnnamedTag } from './values/names.js';
import type { Erasure, ErasureReport, Retention } from './values/personal.js';
import type {
  Backlog,
  Health,
  Provisional,
  PushedReading,
  PushResults,
  ReaderState,
  ServiceStatus,
  ServiceTime,
} from './values/service-state.js';
import type { Station, SyncAnswer, SyncBatch, SyncChanges, SyncPosition } from './values/sync.js';

/** Ids of a program are in hex, whatever the readers of the service write. */
function inHex<T extends object>(values: T): T & { readonly format: string } {
  return { ...values, format: 'hex' };
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * The interface of a Tallybook service, with a method for each call.
 *
 * Expected results are values, such as `undefined` for a day without a record. All other failures reject with a
 * `TallybookClientError`. Requests are not repeated; only the event stream reconnects by itself.
 */
export class TallybookClient {
  private readonly transport: Transport;
  private readonly calls: Calls;

  /** Has a publisher send its set-aside changes again, and go on if it has stopped. */
  sendAgain(publisher: string, options: CallOptions = {}): Promise<void> {
    return this.calls.send('api/publishers/send-again', { name: publisher }, options, () => undefined);
  }

  /**
   * @param base URL of the service: the part before `api/`. In a page, it may be relative to the page.
   * @throws {TypeError} if `base` is no URL of http or https.
   */
  constructor(base: string, options: TransportOptions = {}) {
    this.transport = new Transport(base, options);
    this.calls = new Calls(this.transport);
  }

  /** All names. */
  readMapping(options: ReadOptions<Mapping> = {}): Promise<Mapping> {
    return this.calls.read('api/mapping', {}, options);
  }

  /** The tags that have a name, ascending. */
  listNamedTags(options: ReadOptions<readonly TallyId[]> = {}): Promise<readonly TallyId[]> {
    return this.calls.read('api/mappings', {}, options);
  }

  /** The name of a tag; `undefined` if it has none. */
  readName(id: TallyId, options: ReadOptions<Name> = {}): Promise<Name | undefined> {
    return this.calls.find('api/mapping', inHex({ id }), options);
  }

  /** Gives a tag a name. The name is on the disk when this resolves. */
  assignName(id: TallyId, name: Name, options: CallOptions = {}): Promise<'added' | 'replaced'> {
    return this.calls.send('api/mapping', inHex({ id, name }), options, ({ status }) =>
      status === 201 ? 'added' : 'replaced',
    );
  }

  /** Removes the name of a tag. The removal is on the disk when this resolves. `false` if the tag had no name. */
  removeName(id: TallyId, options: CallOptions = {}): Promise<boolean> {
    return this.calls.remove('api/mapping', inHex({ id }), options);
  }

  /**
   * The tags that a typed text may mean, as people write ids: one, or several of which a person must choose. Rejects with the
   * code `INVALID_TALLY_ID`. The other methods take ids in hex.
   */
  readId(text: string, options: FormatOptions = {}): Promise<IdReadings> {
    return this.calls.read('api/id', { text, format: options.format }, options);
  }

  /** The tags without a name that were read in the last `days` days, 1 to 3660, default 60; latest first. */
  listUnnamed(options: CallOptions & { readonly days?: number } = {}): Promise<readonly UnnamedTag[]> {
    return this.calls.read('api/unnamed', { days: options.days }, options);
  }

  /**
   * Imports a list of names in CSV or JSON Lines, as a whole or not at all. The service recognises format, separator,
   * encoding and columns. Rejects with the code `INVALID_NAME_LIST` and the refused lines.
   */
  importNames(list: NameList, options: ImportOptions = {}): Promise<ImportReport> {
    const { dryRun = false, format, encoding, columns = {}, signal } = options;
    return this.transport.exchange(
      {
        method: 'POST',
        path: 'api/people',
        query: {
          'dry-run': dryRun ? 1 : undefined,
          format,
          encoding,
          'id-column': columns.id,
          'first-column': columns.first,
          'last-column': columns.last,
        },
        headers: { 'Content-Type': 'text/csv' },
        body: list,
        signal,
      },
      readJson as ReadJson<ImportReport>,
    );
  }

  /** Who was there on a day; `undefined` if it has no record. */
  readDay(choice: DayChoice, options: ReadOptions<AttendanceDay> = {}): Promise<AttendanceDay | undefined> {
    return this.calls.find('api/day', { ...choice }, options);
  }

  /** Who was there on a day, and when; `undefined` if it has no record. */
  readDayEntries(
    choice: DayChoice,
    options: ReadOptions<DetailedDay> = {},
  ): Promise<DetailedDay | undefined> {
    return this.calls.find('api/day', { ...choice, expand: 'entries' }, options);
  }

  /** The time, and who is here today, in one answer. Also works on a day without a record. */
  readToday(options: CallOptions = {}): Promise<Today> {
    return this.calls.read('api/today', {}, options);
  }

  /**
   * Removes the record of a day for good. The removal is on the disk when this resolves. `false` if the day had no
   * record.
   */
  removeDay(choice: DayChoice, options: CallOptions = {}): Promise<boolean> {
    return this.calls.remove('api/day', { ...choice }, options);
  }

  /** The days with a record, ascending. */
  listDays(range: TimeRange, options: ReadOptions<readonly number[]> = {}): Promise<readonly number[]> {
    return this.calls.read('api/days', { ...range }, options);
  }

  /** The corrections of a range of days, ascending by day and number. */
  listCorrections(
    range: TimeRange,
    options: ReadOptions<readonly Correction[]> = {},
  ): Promise<readonly Correction[]> {
    return this.calls.read('api/corrections', { ...range }, options);
  }

  /**
   * Makes corrections: all of them or none. They are on the disk when this resolves with them, in the order given.
   * Rejects with `SCAN_NOT_FOUND` if there is no scan to void, and with `CORRECTION_CONFLICT` if a correction would
   * change nothing.
   */
  correct(corrections: readonly NewCorrection[], options: CallOptions = {}): Promise<readonly Correction[]> {
    return this.calls.post('api/corrections', { corrections: corrections.map(inHex) }, options);
  }

  /** Approves or rejects a pending correction of somebody else. Rejects with `OWN_CORRECTION` if it is your own. */
  decideCorrection(decision: CorrectionDecision, options: CallOptions = {}): Promise<Correction> {
    return this.calls.post('api/corrections/decision', decision, options);
  }

  /** The scans of a tag on a day. */
  listScans(choice: DayChoice & { readonly id: TallyId }, options: CallOptions = {}): Promise<Scans> {
    return this.calls.read('api/scans', inHex(choice), options);
  }

  /** People and days: who was there when, in at most 3660 days. */
  readTable(
    range: TimeRange,
    options: ReadOptions<Table> & { readonly pseudonyms?: boolean } = {},
  ): Promise<Table> {
    return this.calls.read(
      'api/table',
      { ...range, pseudonyms: options.pseudonyms === true ? 1 : undefined },
      options,
    );
  }

  /** Every tap, live. The connection is opened when you loop over the stream. */
  streamEvents(options: EventStreamOptions = {}): EventStream {
    return new EventStream(this.transport, options);
  }

  /** Time of the service, and whether it is trusted. */
  readTime(options: CallOptions = {}): Promise<ServiceTime> {
    return this.calls.read('api/time', {}, options);
  }

  /**
   * Sets the time of the service, if it follows no time server.
   *
   * @param time Seconds since 1970; milliseconds if it is above 10^11, as `Date.now()` is. Whole.
   * @param options `confirm` sets a time that was refused with `TIME_NOT_CONFIRMED`.
   */
  setTime(time: number, options: CallOptions & { readonly confirm?: boolean } = {}): Promise<void> {
    return this.calls.send('api/time', { time, confirm: options.confirm }, options, () => undefined);
  }

  /** The provisional scans: scans that were taken while the clock was not trusted. */
  listProvisional(options: CallOptions = {}): Promise<Provisional> {
    return this.calls.read('api/provisional', {}, options);
  }

  /** Scans that wait in memory because the store cannot write. */
  readBacklog(options: CallOptions = {}): Promise<Backlog> {
    return this.calls.read('api/backlog', {}, options);
  }

  /** State of each reader, in the order of the configuration. */
  listReaders(options: CallOptions = {}): Promise<readonly ReaderState[]> {
    return this.calls.read('api/readers', {}, options);
  }

  /**
   * Pushes at most 1000 scans of a reader with the URL `http:NAME`. When this resolves, each scan is kept or refused for
   * good. Rejects with the status 503 if some could not be kept: send all again, with the same numbers.
   *
   * @param options `run`: name of the run of the device's numbers, 1 to 64 characters, default `0`. A device that has
   * lost count begins another run.
   */
  pushReadings(
    reader: string,
    readings: readonly PushedReading[],
    options: CallOptions & { readonly run?: string } = {},
  ): Promise<PushResults> {
    const path = `api/readers/${encodeURIComponent(reader)}/readings`;
    return this.calls.post(path, { run: options.run, readings }, options);
  }

  /**
   * Sends a batch of a station. When this resolves, each item is on the disk or refused. Rejects with the code `SYNC_GAP`,
   * and `expected`, if the batch does not follow the changes that the service has.
   */
  sync(batch: SyncBatch, options: CallOptions = {}): Promise<SyncAnswer> {
    return this.calls.post('api/sync', batch, options);
  }

  /**
   * The changes after a place, for a station; without `after` only the present place. Rejects with the code `SYNC_TOO_OLD` if the
   * centre no longer has these changes: then take the snapshot.
   *
   * @param options `waitSeconds`: how long to wait for a change if there is none, 0 to 30, default 0.
   */
  readSyncChanges(
    after?: SyncPosition,
    options: CallOptions & { readonly waitSeconds?: number } = {},
  ): Promise<SyncChanges> {
    const { waitSeconds: wait, signal } = options;
    return this.transport.exchange(
      {
        path: 'api/sync/changes',
        query: { origin: after?.origin, after: after?.cursor, wait },
        waitMs: (wait ?? 0) * 1000,
        signal,
      },
      readJson as ReadJson<SyncChanges>,
    );
  }

  /** All data of the centre for a station, as JSON Lines. The file is complete if its last line has the kind `end`. */
  downloadSyncSnapshot(options: CallOptions = {}): Promise<Download> {
    return this.calls.download('api/sync/snapshot', {}, 'application/jsonl', options);
  }

  /** The stations of this centre, and the state of each; ascending by name. */
  listStations(options: CallOptions = {}): Promise<readonly Station[]> {
    return this.calls.read('api/stations', {}, options);
  }

  /** Forgets a station that sends no more. Its record stays. `false` if there was no such station. */
  removeStation(name: string, options: CallOptions = {}): Promise<boolean> {
    return this.calls.remove('api/stations', { name }, options);
  }

  /** State of the program: version, start, storage and publishers. */
  readStatus(options: CallOptions = {}): Promise<ServiceStatus> {
    return this.calls.read('api/status', {}, options);
  }

  /**
   * Entries of the audit trail, ascending: those after the number `after`, or the latest ones; at most `limit`, 1 to
   * 1000, default 100.
   */
  readAudit(
    options: CallOptions & { readonly after?: number; readonly limit?: number } = {},
  ): Promise<AuditPage> {
    const { after, limit } = options;
    return this.calls.read('api/audit', { after, limit }, options);
  }

  /** Health of the service and of each part. The reasons need the right to see the service. */
  readHealth(options: CallOptions = {}): Promise<Health> {
    return this.calls.read('api/health', {}, options);
  }

  /** Whether the service can do its work: it is open, and its store can read and write. */
  isReady(options: CallOptions = {}): Promise<boolean> {
    return this.calls.test('api/health/ready', options);
  }

  /** Whether a service answers. Rejects if none does. */
  isLive(options: CallOptions = {}): Promise<boolean> {
    return this.calls.test('api/health/live', options);
  }

  /** Measurements in the text format of Prometheus. */
  readMetrics({ signal }: CallOptions = {}): Promise<string> {
    return this.transport.exchange(
      { path: 'api/metrics', headers: { Accept: 'text/plain' }, signal },
      (response) => response.text(),
    );
  }

  /** A backup of everything. The file is complete if its last line has the kind `end`. */
  exportAll(options: CallOptions = {}): Promise<Download> {
    return this.calls.download('api/export', {}, 'application/jsonl', options);
  }

  /** URL of {@link exportAll}, for a link. Like all links, it sends neither token nor headers. */
  exportAllUrl(): string {
    return this.transport.url('api/export');
  }

  /** The attendance of a range as CSV. */
  exportCsv(range: TimeRange, options: CsvOptions & CallOptions = {}): Promise<Download> {
    return this.calls.download('api/csv', csvQuery(range, options), 'text/csv', options);
  }

  /** URL of {@link exportCsv}, for a link. */
  exportCsvUrl(range: TimeRange, options: CsvOptions = {}): string {
    return this.transport.url('api/csv', csvQuery(range, options));
  }

  /** The attendance of a range as a workbook. */
  exportXlsx(range: TimeRange, options: XlsxOptions & CallOptions = {}): Promise<Download> {
    return this.calls.download('api/xlsx', xlsxQuery(range, options), XLSX, options);
  }

  /** URL of {@link exportXlsx}, for a link. */
  exportXlsxUrl(range: TimeRange, options: XlsxOptions = {}): string {
    return this.transport.url('api/xlsx', xlsxQuery(range, options));
  }

  /** The user or token of this client, and its rights. */
  readSession(options: CallOptions = {}): Promise<Session> {
    return this.calls.read('api/session', {}, options);
  }

  /**
   * Signs in: a browser keeps the session as a cookie. Rejects with the code `SIGN_IN_REFUSED`, or `SIGN_IN_TOO_SOON` with
   * `retryAfterMs`. Programs use a token instead: `TransportOptions.token`.
   */
  signIn(name: string, password: string, options: CallOptions = {}): Promise<Session> {
    return this.calls.post('api/session', { name, password }, options);
  }

  /** Begins to sign in at the identity provider: resolves with the URL to which the browser goes. */
  async beginAtProvider(options: CallOptions = {}): Promise<string> {
    const { url } = await this.calls.post<{ readonly url: string }>('api/session/provider', {}, options);
    return url;
  }

  /**
   * Signs in with the answer of the identity provider. Rejects with the code `IDENTITY_REFUSED` if the answer proves
   * nothing, and `IDENTITY_UNKNOWN` with `subject` if the person is no user here.
   *
   * @param answer The query with which the provider sent the browser back, without `?`.
   */
  finishAtProvider(answer: string, options: CallOptions = {}): Promise<Session> {
    return this.calls.post('api/session/provider/answer', { answer }, options);
  }

  /**
   * URL for signing out at the identity provider too, after signing out here; `null` for a user who does not sign in
   * there, or if the provider has no such URL. It identifies the person, so do not log it.
   */
  async readProviderSignOut(options: CallOptions = {}): Promise<string | null> {
    const { url } = await this.calls.read<{ readonly url: string | null }>(
      'api/session/provider/sign-out',
      {},
      options,
    );
    return url;
  }

  /** Ends the session. */
  async signOut(options: CallOptions = {}): Promise<void> {
    await this.calls.remove('api/session', {}, options);
  }

  /** Makes the first user, an admin, with the setup code, and signs in. Rejects with the code `SETUP_REFUSED`. */
  setUp(code: string, name: string, password: string, options: CallOptions = {}): Promise<Session> {
    return this.calls.post('api/setup', { code, name, password }, options);
  }

  /**
   * Changes one's own password, and ends the other sessions. Rejects with the code `SIGN_IN_REFUSED` if `current` is wrong.
   */
  changePassword(current: string, password: string, options: CallOptions = {}): Promise<void> {
    return this.calls.send('api/password', { current, password }, options, () => undefined);
  }

  /** The users, ascending by name. */
  listUsers(options: CallOptions = {}): Promise<readonly User[]> {
    return this.calls.read('api/users', {}, options);
  }

  /**
   * Adds a user, or changes one. Another role, password or subject ends the sessions of the user. Rejects with the codes
   * `USER_EXISTS`, if the user is to be new, and `LAST_ADMIN`.
   */
  putUser(user: NewUser, options: CallOptions = {}): Promise<'added' | 'changed'> {
    return this.calls.send('api/users', user, options, ({ status }) =>
      status === 201 ? 'added' : 'changed',
    );
  }

  /** Removes a user. `false` if there was none. Rejects with the code `LAST_ADMIN`. */
  removeUser(name: string, options: CallOptions = {}): Promise<boolean> {
    return this.calls.remove('api/users', { name }, options);
  }

  /** Your own sessions and tokens, latest first; with `all` those of everybody. */
  listCredentials(options: CallOptions & { readonly all?: boolean } = {}): Promise<readonly Credential[]> {
    return this.calls.read('api/credentials', { all: options.all === true ? 1 : undefined }, options);
  }

  /** Ends a session or a token. `false` if there is none with this id that you may end. */
  revokeCredential(id: string, options: CallOptions = {}): Promise<boolean> {
    return this.calls.remove('api/credentials', { id }, options);
  }

  /** Makes a token for a program. */
  createToken(token: NewToken, options: CallOptions = {}): Promise<Token> {
    return this.calls.post('api/tokens', token, options);
  }

  /** Options for a browser to sign in with a passkey. Rejects with the code `PASSKEYS_UNAVAILABLE`. */
  challengePasskey(options: CallOptions = {}): Promise<PasskeyOptions> {
    return this.calls.post('api/session/passkey/challenge', {}, options);
  }

  /**
   * Signs in with the signed answer of a browser, as `PublicKeyCredential.toJSON()` gives it. Rejects as {@link signIn}, and
   * with the codes `INVALID_PASSKEY` and `PASSKEYS_UNAVAILABLE`.
   */
  signInWithPasskey(answer: object, options: CallOptions = {}): Promise<Session> {
    return this.calls.post('api/session/passkey', answer, options);
  }

  /** Your own passkeys in the order of their making; with `all` those of everybody. */
  listPasskeys(options: CallOptions & { readonly all?: boolean } = {}): Promise<readonly Passkey[]> {
    return this.calls.read('api/passkeys', { all: options.all === true ? 1 : undefined }, options);
  }

  /** Options for a browser to make a passkey. Rejects with the codes `SIGN_IN_REFUSED` and `PASSKEYS_UNAVAILABLE`. */
  requestPasskey(password: string, options: CallOptions = {}): Promise<PasskeyOptions> {
    return this.calls.post('api/passkeys/challenge', { password }, options);
  }

  /** Adds a passkey that a browser has made. Resolves with its id. Rejects with the code `INVALID_PASSKEY`. */
  async addPasskey(label: string, answer: object, options: CallOptions = {}): Promise<string> {
    const { id } = await this.calls.post<{ readonly id: string }>('api/passkeys', { label, answer }, options);
    return id;
  }

  /**
   * Removes a passkey, and ends other sessions of its user. `false` if there is none with this id that you may remove.
   */
  removePasskey(id: string, options: CallOptions = {}): Promise<boolean> {
    return this.calls.remove('api/passkeys', { id }, options);
  }

  /** Erases persons by their tags, everywhere and for good. 1 to 100 tags. */
  erase(ids: readonly TallyId[], options: DryRunOptions = {}): Promise<ErasureReport> {
    return this.calls.post('api/erasures', inHex({ ids, dryRun: options.dryRun }), options);
  }

  /** The erasures, which do not name the persons. */
  listErasures(options: CallOptions = {}): Promise<readonly Erasure[]> {
    return this.calls.read('api/erasures', {}, options);
  }

  /**
   * How long days are kept, and the days and backups that would be removed now.
   *
   * @param options `keep`: plans with this time to keep days instead, such as `24months`.
   */
  readRetention(options: CallOptions & { readonly keep?: string } = {}): Promise<Retention> {
    return this.calls.read('api/retention', { keep: options.keep }, options);
  }

  /**
   * Removes days and backups that were kept long enough.
   *
   * @param options `confirm` allows a removal that was refused with `RETENTION_NOT_CONFIRMED`.
   */
  applyRetention(options: DryRunOptions & { readonly confirm?: boolean } = {}): Promise<Retention> {
    const { dryRun, confirm } = options;
    return this.calls.post('api/retention', { dryRun, confirm }, options);
  }

  /** All stored data of a tag, as JSON for people and programs. */
  exportPerson(id: TallyId, options: CallOptions = {}): Promise<Download> {
    return this.calls.download('api/person/data', inHex({ id }), 'application/json', options);
  }

  /** URL of {@link exportPerson}, for a link. */
  exportPersonUrl(id: TallyId): string {
    return this.transport.url('api/person/data', inHex({ id }));
  }

  /** The interface itself as an OpenAPI document. */
  readOpenApi(options: ReadOptions<object> = {}): Promise<object> {
    return this.calls.read('api/openapi.json', {}, options);
  }
}

function xlsxQuery({ from, to }: TimeRange, { shape, lang, zone, pseudonyms }: XlsxOptions): Query {
  return { from, to, shape, lang, zone, pseudonyms: pseudonyms === true ? 1 : undefined };
}

function csvQuery(range: TimeRange, options: CsvOptions): Query {
  const { delimiter, bom, profile } = options;
  return {
    ...xlsxQuery(range, options),
    delimiter,
    bom: bom === undefined ? bom : bom ? 'yes' : 'no',
    profile,
  };
}
