export { createPublisher, publisherSchemes } from './create-publisher.js';
export type { PublishedAttendance, Publisher, PublisherDependencies } from './publisher.js';
