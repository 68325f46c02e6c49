export type { HttpAccessOptions } from './access/access-options.js';
export { admit, principalOf } from './access/principal-of.js';
export { requireRight } from './held-right.js';
export { httpLimits } from './limits.js';
export { Places } from './places.js';
export { clientNetworkOf, type ClientAddressOf } from './requests/client-network.js';
export type { ClientLimit, ReportLimited, RequestLimits } from './requests/limit-requests.js';
export type { StreamLimits } from './events/stream-places.js';
export { checkHostName } from './requests/allowed-hosts.js';
export type { DeniedRequest, ReportDenied } from './access/report-denied.js';
export { commonHeaders, type FailedRequest, type ReportError } from './answers/answer-errors.js';
export type { AppServices, PersonalData } from './app-services.js';
export { createApp, type App, type AppOptions } from './create-app.js';
export type { FirstAsk, LoadPage, Page, PageFile } from './page/page.js';
export type { PagePolicy } from './page/serve-page.js';
export { readPage } from './page/read-page.js';
export { EventFeed, type EventFeedParts } from './events/event-feed.js';
export type { EventFeedOptions } from './events/feed-options.js';
export {
  emptyAnswer,
  implement,
  type Handler,
  type Handlers,
  type Implementation,
  type Request,
} from './routes/implement.js';
export type { ReportDayRemoved } from './routes/days/routes-day-removal.js';
export type {
  PublisherStatus,
  ServiceStatus,
  StatusSource,
  StorageStatus,
  UpstreamStatus,
} from './routes/service/routes-status.js';
export type { RestoreBackup, RestoreSteps } from './routes/service/routes-restore.js';
export type { SettingChanges, SettingsSource } from './routes/service/routes-settings.js';
export type { SyncCentre } from './routes/sync/sync-centre.js';
export type { MetricsSource } from './routes/service/routes-metrics.js';
export type { ReportTimeSet } from './routes/service/routes-time.js';
