// The reference server with its day store swapped. Settings come from the environment: TALLYBOOK_PORT=8081 node dist/main.js
import { createContainer, createStorage, loadConfig, serviceId } from '@tallybook/server';
import { composeStorage } from '@tallybook/store-memory';
import { LinesDayStore } from './lines-day-store.js';

const config = loadConfig();
const rest = createStorage(config.store);
const { mapping, provisional, corrections } = rest;
const days = new LinesDayStore(process.env['DAYS_FILE'] ?? './days.jsonl');

const container = createContainer(config);
container
  .rebind(serviceId('storage'))
  .toConstantValue(composeStorage({ mapping, days, provisional, corrections, rest }));

const server = container.get(serviceId('server'));
await server.open();
console.log(`listening on ${server.url}`);

process.once('SIGTERM', () => void server.close());
