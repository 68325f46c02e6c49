import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebauthnPasskeyVerifier } from '@tallybook/passkeys-webauthn';
import { SystemSecrets } from '@tallybook/secrets-system';
import {
  AccessService,
  AttendanceService,
  AuditTrail,
  BackupService,
  Calendar,
  ErasureService,
  CorrectedDayStore,
  CorrectedSnapshotSource,
  CorrectionService,
  createReading,
  HealthMonitor,
  NameService,
  RangeService,
  parseTallyId,
  ReaderMonitor,
  RetentionService,
  StoresSnapshotSource,
  Timekeeper,
  toTimestamp,
  UnnamedTags,
  type AttendanceEvent,
  type CalendarOptions,
  type Keep,
  type HealthCheck,
  type IdentityProvider,
  type IdentityRules,
  type NameCounts,
  type Principal,
  type SnapshotSource,
  type Subscribable,
} from '@tallybook/domain';
import {
  ManualClock,
  MemoryAccessStore,
  MemoryAuditStore,
  MemoryErasureStore,
  MemoryCorrectionStore,
  MemoryJournal,
  MemoryProvisionalStore,
  noChanges,
  ScriptedIdentityProvider,
  ScriptedIdSource,
} from '@tallybook/testing';
import {
  createApp,
  EventFeed,
  type AppOptions,
  type EventFeedOptions,
  type DeniedRequest,
  type FailedRequest,
  type HttpAccessOptions,
  type LoadPage,
  type ServiceStatus,
} from '../src/index.js';
import type { StreamLimits } from '../src/events/stream-places.js';
import type { RequestLimits } from '../src/requests/limit-requests.js';
import { expectDocumented, type Answer } from './documented.js';
import { ScriptedCentre } from './scripted-centre.js';
import { ScriptedPushSource } from './scripted-push-source.js';
import { ObservedDayStore, ObservedMappingStore } from './observed-stores.js';

export { ScriptedIdentityProvider };

export interface ServiceOptions {
  /** What the event stream tells at once, in place of what the attendance service announces. */
  readonly source?: Subscribable<AttendanceEvent>;
  /** Changes that the journal keeps. Default: 100000. */
  readonly journalLimit?: number;
  readonly calendar?: CalendarOptions;
  readonly events?: EventFeedOptions;
  readonly maxCachedBytes?: number;
  readonly exports?: Pick<AppOptions, 'maxExports' | 'exportStallMs' | 'exportDeadlineMs'>;
  readonly answers?: Pick<AppOptions, 'answerStallMs' | 'answerDeadlineMs' | 'maxAnswerBytes'>;
  readonly allowedHosts?: readonly string[];
  readonly backlogLimit?: number;
  /** Default: for ever. */
  readonly keep?: Keep;
  /** Whether a second person has to approve corrections. Default: no. */
  readonly needsApproval?: boolean;
  /** Where exports come from. Default: the stores. */
  readonly snapshots?: SnapshotSource;
  /** Whether it goes without what an application need not have. Default: no. */
  readonly isBare?: boolean;
  readonly page?: LoadPage;
  /** What is looked at for the health of the service. Default: nothing. */
  readonly checks?: readonly HealthCheck[];
  /** Who asks. Default: anyone, who may do everything. */
  readonly principal?: Principal;
  readonly limits?: RequestLimits & StreamLimits;
  /** How it knows who asks. Default: it is open to everybody as long as there is no user. */
  readonly access?: HttpAccessOptions & { readonly requiresClaim?: boolean };
  /** Where people may sign in besides. Default: nowhere. */
  readonly provider?: IdentityProvider;
  readonly identityRules?: IdentityRules;
  /** Seconds since 1970, default 0. */
  readonly builtAt?: number;
  /** Another server, on whose stores this one works too. Dispose of this one first. */
  readonly beside?: RunningService;
}

/** The application on a real socket, over stores in memory. Every answer is held against the OpenAPI document. */
export class RunningService implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly journal: MemoryJournal;
  readonly mapping: ObservedMappingStore;
  readonly days: ObservedDayStore;
  readonly provisional: MemoryProvisionalStore;
  readonly erasures: MemoryErasureStore;
  readonly corrected: CorrectedDayStore;
  readonly corrections: CorrectionService;
  /** The reader at which nobody taps: taps are given to the attendance service. */
  readonly door = new ScriptedIdSource(this.clock, 'door');
  /** The reader that is fed by requests. */
  readonly gate = new ScriptedPushSource('gate');
  /** What stations send to. */
  readonly centre = new ScriptedCentre();
  readonly readers: ReaderMonitor;
  readonly attendance: AttendanceService;
  readonly events: EventFeed;
  readonly unnamed: UnnamedTags;
  readonly auditStore: MemoryAuditStore;
  readonly audit: AuditTrail;
  readonly health: HealthMonitor;
  readonly names: NameService;
  readonly access: AccessService;
  readonly accessStore: MemoryAccessStore;
  readonly correctionStore: MemoryCorrectionStore;
  /** What the program says of itself. */
  status: ServiceStatus = {
    version: '1.2.3',
    startedAt: toTimestamp(1_763_700_000),
    storage: { freeBytes: 5_000_000_000, usedBytes: 325_000 },
    publishers: [],
  };
  /** What kept the event stream from reading the journal. */
  readonly faults: unknown[] = [];
  readonly removedDays: number[] = [];
  readonly changedNames: NameCounts[] = [];
  /** Limits that a client has reached, each with the client. */
  readonly limited: (readonly [limit: string, client: string | undefined])[] = [];
  readonly denied: DeniedRequest[] = [];
  readonly reports: { readonly error: unknown; readonly request: FailedRequest }[] = [];
  readonly app: ReturnType<typeof createApp>;
  readonly #server: ReturnType<typeof createServer>;
  readonly #clients: Socket[] = [];

  private constructor(options: ServiceOptions) {
    const { beside } = options;
    const limit = options.journalLimit ?? 100_000;
    this.journal = beside?.journal ?? new MemoryJournal(noChanges(), { limit });
    this.mapping = beside?.mapping ?? new ObservedMappingStore(undefined, this.journal);
    this.days = beside?.days ?? new ObservedDayStore(undefined, this.journal);
    this.provisional = beside?.provisional ?? new MemoryProvisionalStore(undefined, this.journal);
    this.correctionStore = beside?.correctionStore ?? new MemoryCorrectionStore(undefined, this.journal);
    this.auditStore = beside?.auditStore ?? new MemoryAuditStore();
    this.accessStore = beside?.accessStore ?? new MemoryAccessStore();
    const { mapping, days, provisional, journal, correctionStore: corrections } = this;
    this.corrected = new CorrectedDayStore({ days, corrections });
    this.erasures =
      beside?.erasures ?? new MemoryErasureStore({ mapping, days, provisional, corrections, journal });
    const calendar = new Calendar(options.calendar);
    const timekeeper = new Timekeeper(this.clock, { builtAt: options.builtAt ?? 0 });
    this.attendance = new AttendanceService(
      { days: this.corrected, mapping, provisional, erasures: this.erasures, calendar, timekeeper },
      { repeatWindowMs: 0, backlogLimit: options.backlogLimit ?? 10_000 },
    );
    this.corrections = new CorrectionService(
      { days: this.corrected, corrections, erasures: this.erasures, calendar, timekeeper },
      { needsApproval: options.needsApproval ?? false },
    );
    const { attendance, erasures } = this;
    this.names = new NameService(this.mapping);
    const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
    this.audit = new AuditTrail({ store: this.auditStore, digest, timekeeper });
    this.events = new EventFeed(
      {
        attendance: { events: options.source ?? this.attendance.events },
        names: this.names,
        journal: this.journal,
        clock: this.clock,
        onFault: (error) => this.faults.push(error),
      },
      options.events,
    );
    this.readers = new ReaderMonitor(timekeeper, [this.door]);
    this.health = new HealthMonitor(options.checks ?? [], this.clock, { keepMs: 0 });
    this.unnamed = new UnnamedTags({
      days: this.corrected,
      mapping: this.mapping,
      calendar,
      timekeeper,
      journal: this.journal,
    });
    this.access = new AccessService(
      {
        store: this.accessStore,
        // Real ones, with little work.
        secrets: new SystemSecrets({ workFactor: 10 }),
        passkeys: new WebauthnPasskeyVerifier(),
        timekeeper,
        calendar,
        onFault: (error) => this.faults.push(error),
        ...(options.provider !== undefined && { provider: options.provider }),
      },
      {
        requiresClaim: options.access?.requiresClaim ?? false,
        identityRules: options.identityRules ?? {},
      },
    );
    const stores = { mapping, days, provisional, corrections };
    const snapshots = options.snapshots ?? new StoresSnapshotSource(stores);
    this.app = createApp(
      {
        names: this.names,
        attendance: this.attendance,
        calendar,
        timekeeper,
        ...(options.isBare !== true && {
          corrections: this.corrections,
          backup: new BackupService({ ...stores, snapshots }),
          ranges: new RangeService({
            mapping: this.mapping,
            days: this.corrected,
            snapshots: new CorrectedSnapshotSource(snapshots),
          }),
          readers: this.readers,
          pushSources: [this.gate],
          centre: this.centre,
          status: { read: () => Promise.resolve(this.status) },
          unnamed: this.unnamed,
          audit: this.audit,
          personal: {
            erasures: new ErasureService({ erasures, timekeeper, attendance }),
            retention: new RetentionService(
              { days, provisional, attendance, calendar, timekeeper },
              options.keep,
            ),
            person: { erasures },
          },
          health: this.health,
          metrics: {
            read: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', text: 'up 1\n' }),
          },
        }),
        events: this.events,
        ...(options.isBare !== true && { access: this.access }),
        ...(options.page !== undefined && { page: options.page }),
        reportError: (error, request) => this.reports.push({ error, request }),
        reportDenied: (request) => this.denied.push(request),
        reportDayRemoved: (day) => this.removedDays.push(day),
        reportLimited: (limit, client) => this.limited.push([limit, client]),
        reportNamesChanged: (counts) => this.changedNames.push(counts),
      },
      {
        ...(options.maxCachedBytes !== undefined && { maxCachedBytes: options.maxCachedBytes }),
        ...(options.allowedHosts !== undefined && { allowedHosts: options.allowedHosts }),
        ...options.limits,
        ...(options.access === undefined && {
          clientAddressOf: ({ headers, socket }) => String(headers['x-client'] ?? socket.remoteAddress),
        }),
        ...(options.access !== undefined && { access: options.access }),
        ...(options.principal !== undefined && {
          access: { principalOf: (request) => principalOf(request, options.principal) },
        }),
        ...options.exports,
        ...options.answers,
      },
    );
    this.#server = createServer({ requireHostHeader: false }, this.app.callback());
  }

  static async start(options: ServiceOptions = {}): Promise<RunningService> {
    const service = new RunningService(options);
    for (const part of [
      service.mapping,
      service.days,
      service.corrected,
      service.provisional,
      service.auditStore,
      service.erasures,
      service.journal,
      service.readers,
      service.health,
      service.events,
      service.accessStore,
      service.access,
    ])
      await part.open();
    await service.attendance.open();
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.attendance.close();
    await this.events.close();
    // Who does not read is not told that the other side has gone.
    for (const socket of this.#clients) socket.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
    await this.access.close();
    await Promise.all(
      [this.mapping, this.corrected, this.provisional, this.journal, this.erasures].map((part) =>
        part.close(),
      ),
    );
  }

  /** Presents a tag, and resolves when what became of it was announced. */
  tap(id: string): Promise<void> {
    return this.attendance.take(createReading(this.clock, 'door', parseTallyId(id)));
  }

  async request(target: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${this.port}${target}`, init);
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    expectDocumented(init.method ?? 'GET', target.split('?')[0] ?? '', answer);
    return answer;
  }

  post(body: unknown, headers: Record<string, string> = {}, target = '/api/mapping'): Promise<Answer> {
    return this.request(target, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  }

  /** As `post`, but with headers that `fetch` writes itself, such as `Origin` and `Sec-Fetch-Site`. */
  async exchangeJson(path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const asking = request({
      ...{ host: '127.0.0.1', port: this.port, method: 'POST', path, agent: false },
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    asking.end(JSON.stringify(body));
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const received = new Headers();
    for (const [name, value] of Object.entries(response.headers)) received.set(name, String(value));
    return { status: response.statusCode ?? 0, headers: received, text: await text(response) };
  }

  /** Resolves when the event feed has so many subscribers. Each round lets sockets do what they have to do. */
  async subscribers(count: number): Promise<void> {
    while (this.events.subscriberCount !== count) await new Promise(setImmediate);
  }

  connect(): Socket {
    const socket = connect(this.port, '127.0.0.1');
    this.#clients.push(socket);
    return socket;
  }

  /** Sends bytes as they are, and resolves with all that comes back until the connection ends. */
  async exchange(...parts: (string | Uint8Array)[]): Promise<string> {
    const socket = this.connect();
    for (const part of parts) socket.write(part);
    return text(socket);
  }
}

/** Who asks: the one of the option, under the name that the request gives. */
function principalOf({ headers }: IncomingMessage, principal: Principal | undefined): Principal | undefined {
  const name = headers['x-test-name'];
  return principal && typeof name === 'string' ? { ...principal, name } : principal;
}
