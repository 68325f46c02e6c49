export { checkHostName } from './allowed-hosts.js';
export { commonHeaders, type FailedRequest, type ReportError } from './answer-errors.js';
export { createApp, type AppDependencies, type AppOptions } from './create-app.js';
export { EventFeed, type EventFeedOptions } from './event-feed.js';
export { openApiDocument, type OpenApiDocument } from './openapi-document.js';
export type { ReportDayRemoved } from './routes-day-removal.js';
export type { ReportTimeSet } from './routes-time.js';
