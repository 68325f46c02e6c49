// The reference server with its day store swapped. Settings come from the environment: TALLYBOOK_PORT=8081 node dist/main.js
import { createContainer, loadConfig, serviceId } from '@tallybook/server';
import { LinesDayStore } from './lines-day-store.js';

const container = createContainer(loadConfig());
container
  .rebind(serviceId('dayStore'))
  .toConstantValue(new LinesDayStore(process.env['DAYS_FILE'] ?? './days.jsonl'));

const server = container.get(serviceId('server'));
await server.open();
console.log(`listening on ${server.url}`);

process.once('SIGTERM', () => void server.close());
