export { checkHostName } from './requests/allowed-hosts.js';
export { commonHeaders, type FailedRequest, type ReportError } from './answers/answer-errors.js';
export { createApp, type AppDependencies, type AppOptions } from './create-app.js';
export type { LoadPage, Page, PageFile } from './page/page.js';
export { readPage } from './page/read-page.js';
export { EventFeed, type EventFeedOptions } from './events/event-feed.js';
export { openApiDocument, type OpenApiDocument } from './routes/openapi-document.js';
export type { ReportDayRemoved } from './routes/routes-day-removal.js';
export type { ReportTimeSet } from './routes/routes-time.js';
