// The unchanged server with a faster clock, so that a week passes in seconds.
import { createContainer, loadConfig, serviceId, SystemClock } from '../../packages/server/dist/index.js';

const [folder, speed] = process.argv.slice(2);
const container = createContainer(loadConfig({ port: '0', store: `level:${folder}`, reader: ['stdin:'] }));
const real = new SystemClock();
const start = { now: real.now(), monotonicMs: real.monotonicMs() };
const elapsedMs = () => (real.monotonicMs() - start.monotonicMs) * Number(speed);
const clock = {
  now: () => start.now + Math.floor(elapsedMs() / 1000),
  monotonicMs: () => start.monotonicMs + elapsedMs(),
  bootId: real.bootId,
  isSynchronised: () => true,
  schedule: (delayMs, work) => real.schedule(delayMs / Number(speed), work),
};
(await container.rebind(serviceId('clock'))).toConstantValue(clock);
const server = container.get(serviceId('server'));
await server.open();
console.log(`listening on ${server.url}`);
process.on('SIGTERM', () => void server.close().then(() => process.exit()));
