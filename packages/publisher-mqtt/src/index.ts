export { createPublisher, publisherKinds } from './create-publisher.js';
