import { createHash } from 'node:crypto';
import { METHODS, type IncomingMessage } from 'node:http';
import Router from '@koa/router';
import type { MappingStore } from '@tallybook/domain';
import { Gate, TagFinder, TypedIds } from '@tallybook/domain/record';
import Koa from 'koa';
import { Admission } from './access/admission.js';
import { has, type AppServices } from './app-services.js';
import { Connections } from './access/connections.js';
import type { HttpAccessOptions } from './access/access-options.js';
import { identifyBy, principalOf } from './access/principal-of.js';
import { AllowedHosts } from './requests/allowed-hosts.js';
import { reportDenied as reportingDenied, type ReportDenied } from './access/report-denied.js';
import { answerErrors, type ReportError } from './answers/answer-errors.js';
import { Answers, type AnswerOptions, type AnswerParts } from './answers/answers.js';
import { Deliveries, type DeliveryOptions } from './answers/deliveries.js';
import { EventFeed } from './events/event-feed.js';
import { Downloads, type ExportOptions } from './answers/downloads.js';
import { clientNetworkOf, peerAddressOf, type ClientAddressOf } from './requests/client-network.js';
import { limitRequests, type ReportLimited, type RequestLimits } from './requests/limit-requests.js';
import { StreamPlaces, type StreamLimits } from './events/stream-places.js';
import { guardRequests } from './requests/guard-requests.js';
import { credentialHandlers } from './routes/access/routes-credentials.js';
import { passkeyHandlers } from './routes/access/routes-passkeys.js';
import { sessionHandlers } from './routes/access/routes-session.js';
import { userHandlers } from './routes/access/routes-users.js';
import { operations, type Operations, type TallybookOperations } from '@tallybook/http-contract';
import { routesOf, servedOf, type Handlers, type Implementation } from './routes/implement.js';
import { guarded, guardUnknownPaths, unguarded, shortcut } from './routes/route.js';
import { auditHandlers } from './routes/service/routes-audit.js';
import { correctionHandlers } from './routes/corrections/routes-corrections.js';
import { dayRemovalHandlers, type ReportDayRemoved } from './routes/days/routes-day-removal.js';
import { dayHandlers } from './routes/days/routes-days.js';
import { eventHandlers } from './routes/routes-events.js';
import type { LoadPage } from './page/page.js';
import { servePage, type PagePolicy } from './page/serve-page.js';
import { exportHandlers } from './routes/service/routes-export.js';
import { idHandlers } from './routes/names/routes-id.js';
import { mappingHandlers, type ReportNamesChanged } from './routes/names/routes-mapping.js';
import { nameListHandlers } from './routes/names/routes-name-list.js';
import { unnamedHandlers } from './routes/names/routes-unnamed.js';
import { guestHandlers } from './routes/people/routes-guests.js';
import { personHandlers } from './routes/people/routes-people.js';
import { erasureHandlers } from './routes/personal/routes-erasures.js';
import { personDataHandlers } from './routes/personal/routes-person.js';
import { retentionHandlers } from './routes/personal/routes-retention.js';
import { healthHandlers } from './routes/service/routes-health.js';
import { metricsHandlers } from './routes/service/routes-metrics.js';
import { openApiHandlers } from './routes/service/routes-openapi.js';
import { provisionalHandlers } from './routes/days/routes-provisional.js';
import { pushHandlers } from './routes/readers/routes-push.js';
import { readerHandlers } from './routes/readers/routes-readers.js';
import { stationHandlers } from './routes/sync/routes-stations.js';
import { syncHandlers } from './routes/sync/routes-sync.js';
import { restoreHandlers } from './routes/service/routes-restore.js';
import { settingHandlers } from './routes/service/routes-settings.js';
import { statusHandlers } from './routes/service/routes-status.js';
import { sheetHandlers } from './routes/ranges/routes-sheets.js';
import { tableHandlers } from './routes/ranges/routes-table.js';
import { timeHandlers, type ReportTimeSet } from './routes/service/routes-time.js';
import { todayHandlers } from './routes/days/routes-today.js';
import { explainAbsence } from './routes/not-offered.js';

/** The HTTP interface. */
export interface App extends Koa {
  /** All paths of the interface, below `/api`. */
  readonly paths: ReadonlySet<string>;
}

export interface AppOptions
  extends AnswerOptions, DeliveryOptions, ExportOptions, RequestLimits, StreamLimits {
  /**
   * The address of the client that sent a request, for the limits of each client. Default: the address that a trusted proxy names,
   * else the address of the connection.
   */
  readonly clientAddressOf?: ClientAddressOf;
  /**
   * Names under which the service answers, besides IP addresses, `localhost`, `*.localhost`, `*.local` and the name of the
   * machine; default none. If a proxy passes on the name that people type, add that name here.
   */
  readonly allowedHosts?: readonly string[];
  /** Ways in which requests identify their sender. Without `AppServices.access` only `trustedProxies` counts. */
  readonly access?: HttpAccessOptions;
  /** The page at `/`, with its files, such as `@tallybook/web`. Without one there is only `/api`. */
  readonly page?: LoadPage;
  /**
   * Directives of the Content-Security-Policy of `page`, in place of ours: `{ 'trusted-types': 'lit-html' }` for a page with Lit.
   * One that is `undefined` is left out.
   */
  readonly policy?: PagePolicy;
  /** Operations of the app, beside those of the interface. */
  readonly own?: Implementation;
  readonly reportError?: ReportError;
  readonly reportDenied?: ReportDenied;
  readonly reportTimeSet?: ReportTimeSet;
  readonly reportDayRemoved?: ReportDayRemoved;
  readonly reportNamesChanged?: ReportNamesChanged;
  readonly reportLimited?: ReportLimited;
}

/**
 * The HTTP interface of a tallybook as a Koa application. It does not listen: pass `createApp(…).callback()` to a server. Make it
 * before the tallybook opens, because its event feed is opened with it.
 *
 * `reportError` is called for every answer with a status of 500 or above, including refused event streams; by default it is `report`
 * of the tallybook. `reportDenied` is
 * called for requests without the needed right; other mistakes are reported only to the client. `reportTimeSet` is called after
 * each setting of the time, and `reportDayRemoved` for every removed day. `reportNamesChanged` gets the number of names that were
 * removed, or came in a list. `reportLimited` is called for requests over the limit of their client.
 *
 * @throws {TallybookError} `INVALID_OPTION` if an option is out of range, one of `allowedHosts` is not a host name, or a directive of
 * `policy` is not one.
 */
export function createApp(tallybook: AppServices, options: AppOptions = {}): App {
  const { names, calendar, timekeeper, personal, access, audit, storage, report } = tallybook;
  const { reportDenied, reportTimeSet, reportNamesChanged, reportLimited } = options;
  const reportError: ReportError | undefined =
    options.reportError ?? (report && ((error) => report({ part: 'http', error })));
  const events = tallybook.events ?? attachedFeed(tallybook);
  const tags = tallybook.tags ?? hexTags(names);
  const hosts = new AllowedHosts(options.allowedHosts ?? []);
  const admission = access === undefined ? undefined : new Admission(access, options.access);
  // A request through a Unix socket has no address, comes from this machine, and is not counted.
  const throughProxies: ClientAddressOf | undefined =
    admission && ((request) => peerAddressOf(request) && admission.connections.addressOf(request));
  const addressOf = options.clientAddressOf ?? throughProxies ?? peerAddressOf;
  const deliveries = new Deliveries(options);
  // All sessions of a user are one client, because anybody who has signed in can begin more.
  const clientOf = (ctx: Koa.Context): string | undefined => {
    const { credential, name } = principalOf(ctx);
    return credential === undefined ? clientNetworkOf(addressOf(ctx.req)) : name;
  };
  // Each of them reads one at a time, and waits for no other.
  const partsOf = (): AnswerParts => ({ deliveries, clientOf, reads: new Gate(1) });
  const answers = new Answers(partsOf(), options);
  const listAnswers = new Answers(partsOf(), options);
  const costlyParts = partsOf();
  const costlyAnswers = new Answers(costlyParts, options);
  const downloads = new Downloads(costlyParts, options);
  const changes = { report: reportNamesChanged, audit };
  const handlers: Partial<Handlers<keyof TallybookOperations>> = {
    ...mappingHandlers(names, tags, { answers, listAnswers, costlyAnswers }, changes),
    ...(tallybook.imports && nameListHandlers(tallybook.imports, tags, answers, changes)),
    ...(has(tallybook, 'directory', 'people') && personHandlers(tallybook, listAnswers)),
    ...(has(tallybook, 'directory', 'guests') && guestHandlers(tallybook)),
    ...(tallybook.unnamed && unnamedHandlers(tallybook.unnamed, costlyAnswers)),
    ...(tallybook.tags && idHandlers(tallybook.tags, costlyAnswers)),
    ...dayHandlers(tallybook, { answers, costlyAnswers }),
    ...dayRemovalHandlers(tallybook, options.reportDayRemoved),
    ...todayHandlers(tallybook, answers),
    ...provisionalHandlers(tallybook.attendance, costlyAnswers),
    ...(has(tallybook, 'corrections') && correctionHandlers({ ...tallybook, tags, answers: costlyAnswers })),
    ...(has(tallybook, 'ranges') && tableHandlers(tallybook, costlyAnswers, downloads)),
    ...(has(tallybook, 'ranges') && sheetHandlers({ ...tallybook, downloads })),
    ...eventHandlers({
      events,
      admission,
      places: new StreamPlaces(options),
      today: () => calendar.dayOf(timekeeper.now()),
      addressOf,
      report: reportLimited,
    }),
    ...timeHandlers(tallybook, reportTimeSet),
    ...(tallybook.readers && readerHandlers(tallybook.readers)),
    ...(tallybook.pushSources && pushHandlers(tallybook.pushSources)),
    ...(tallybook.centre && syncHandlers({ centre: tallybook.centre, admission, parts: partsOf() })),
    ...(tallybook.centre && stationHandlers(tallybook.centre)),
    ...(tallybook.statusSource && statusHandlers(tallybook.statusSource, audit)),
    ...(tallybook.settings && settingHandlers({ settings: tallybook.settings, audit })),
    ...(tallybook.restore &&
      storage &&
      restoreHandlers({ restore: tallybook.restore, journal: storage.journal, audit })),
    ...(audit && auditHandlers(audit)),
    ...(tallybook.health && healthHandlers(tallybook.health)),
    ...(tallybook.metrics && metricsHandlers(tallybook.metrics)),
    ...(has(tallybook, 'backup') && exportHandlers({ ...tallybook, downloads })),
    ...(personal && erasureHandlers(personal.erasures, tags)),
    ...(personal && retentionHandlers(personal.retention, costlyAnswers)),
    ...(personal && personDataHandlers({ ...personal, timekeeper, downloads })),
    ...(admission && sessionHandlers(admission)),
    ...(access && userHandlers(access)),
    ...(access && credentialHandlers(access)),
    ...(admission && passkeyHandlers(admission)),
    ...openApiHandlers(() => served, answers),
  };
  const { own } = options;
  const served: Operations = { ...servedOf(operations, handlers), ...own?.operations };
  const all = [
    ...routesOf(operations, handlers, tags),
    ...(own ? routesOf(own.operations, own.handlers, tags) : []),
  ];
  const costly = new Set(all.filter(({ isCostly }) => isCostly).map(({ path }) => path));
  const routes = all.map((route) => (admission === undefined ? unguarded(route) : guarded(route, admission)));
  const router = new Router({ sensitive: true, strict: true, methods: METHODS });
  for (const { method, path, handle } of routes) router.register(path, [method], handle);

  const paths = new Set(routes.map(({ path }) => path));

  const app = new Koa();
  // Only ends of connections still cause this event, and Koa would print them.
  app.on('error', () => undefined);
  app.use(answerErrors(reportError, deliveries));
  if (reportDenied !== undefined) app.use(reportingDenied(reportDenied, addressOf, paths));
  app.use(guardRequests(hosts));
  app
    .use(limitRequests(options, { costly, addressOf, clock: timekeeper.clock, report: reportLimited }))
    .use(shortcut(routes));
  if (admission !== undefined) app.use(guardUnknownPaths(admission));
  if (options.page !== undefined) {
    const mayOf = admission && ((request: IncomingMessage) => admission.mayOf(request));
    app.use(servePage(options.page, { mayOf, policy: options.policy }));
  }
  app.use(router.routes());
  app.use(explainAbsence(tallybook));
  app.use(router.allowedMethods());
  // For the routes that an app adds.
  app.use(identifyBy(admission ?? new Connections(options.access?.trustedProxies ?? [])));
  return Object.assign(app, { paths });
}

/** An event feed that is opened and closed with the tallybook. */
function attachedFeed({ attach, storage, report, ...services }: AppServices): EventFeed {
  if (attach === undefined || storage === undefined)
    throw new TypeError('createApp needs a Tallybook, or events');
  const { attendance, names, timekeeper } = services;
  const { journal, people } = storage;
  const onFault = (error: unknown): void => report?.({ part: 'events', error });
  const feed = new EventFeed({
    ...{ attendance, names, journal, clock: timekeeper.clock, onFault },
    ...(people && { people }),
  });
  attach('listeners', feed);
  return feed;
}

/** Reads ids in hex, and in the format that is given beside them. */
function hexTags(names: MappingStore): TagFinder {
  const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
  return new TagFinder({ typed: new TypedIds([], digest), mapping: names });
}
