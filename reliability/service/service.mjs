// The service, built and composed as for a device with three readers and an indicator, for a harness to watch:
//
//   node service.mjs STORE BASE
//
// Time begins at BASE, in seconds since 1970, and each look at the clock is a second later, so every tap is a scan of its
// own. Readers are stdin and the descriptors 4 and 5. What it takes in and what it acknowledges it writes to descriptor 3,
// an acknowledgement before anybody outside can see it:
//
//   opening | put ID VERSION | answered ID VERSION | tapped ID | attended ID DAY AT | indicated SIGNAL ID
//
// TABLE_BYTES makes LevelDB begin a new table after so many bytes instead of 4 MiB, so that it switches and compacts under a
// load of seconds. FAULT breaks the promise on purpose: `no-sync` never syncs, `early` acknowledges before it writes.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { toTimestamp } from '@tallybook/domain';
import { StdinIdSource } from '@tallybook/readers';
import { createContainer, loadConfig, serviceId, SystemClock } from '@tallybook/server';
import { Level } from 'level';

const [store, base] = process.argv.slice(2);
const { TABLE_BYTES, FAULT } = process.env;

const note = (text) => writeSync(3, `${text}\n`);

class TickingClock extends SystemClock {
  #seconds = Number(base);

  now() {
    return toTimestamp(this.#seconds++);
  }

  isSynchronised() {
    return true;
  }
}

bendLevel();
const config = loadConfig({ host: '127.0.0.1', port: '0', store: `level:${store}`, repeatWindow: '0' }, {});
const container = createContainer(config);
const clock = new TickingClock();
const streams = [process.stdin, new Socket({ fd: 4 }), new Socket({ fd: 5 })];
const sources = streams.map((stream, index) => new StdinIdSource({ name: `reader ${index}`, stream }, clock));
container.rebind(serviceId('clock')).toConstantValue(clock);
container.rebind(serviceId('idSources')).toConstantValue(sources);
container.bind(serviceId('indicator')).toConstantValue({
  show: ({ signal, id }) => note(`indicated ${signal} ${id}`),
});
container.get(serviceId('app')).middleware.unshift(async (ctx, next) => {
  const put = ctx.get('x-put');
  if (put !== '') note(`put ${put}`);
  await next();
  if (put !== '' && ctx.status < 300) note(`answered ${put}`);
});
for (const { readings } of sources) readings.subscribe(({ id }) => note(`tapped ${id}`));
container.get(serviceId('attendance')).events.subscribe(({ kind, scan }) => {
  if (kind === 'attendance') note(`attended ${scan.id} ${scan.day} ${scan.at}`);
});
// Whoever started this is gone.
streams[2].on('close', () => process.exit(1));
const server = container.get(serviceId('server'));
note('opening');
await server.open();
container.get(serviceId('log')).info(`listening on ${server.url}`);

/** Between the store and LevelDB, so that the program under test has no switch for any of this. */
function bendLevel() {
  const { _open, _batch } = Level.prototype;
  if (TABLE_BYTES !== undefined) {
    Level.prototype._open = function (options) {
      return _open.call(this, { ...options, writeBufferSize: Number(TABLE_BYTES) });
    };
  }
  if (FAULT === 'no-sync') {
    Level.prototype._batch = function (operations, options) {
      return _batch.call(this, operations, { ...options, sync: false });
    };
  } else if (FAULT === 'early') {
    Level.prototype._batch = async function (operations, options) {
      setTimeout(() => void _batch.call(this, operations, options), 100);
    };
  }
}
