import { createContainer, serviceId } from './container.js';
import type { Config } from './config.js';

/** How long stopping may take before the process ends all the same, in milliseconds. */
const STOP_DEADLINE_MS = 4_500;

const LOOPBACK = /^(?:127\.|localhost$|::1$)/;

/** Runs the server until SIGINT or SIGTERM, and gives the exit code. Rejects if the server cannot start. */
export async function serve(config: Config): Promise<number> {
  const container = createContainer(config);
  const log = container.get(serviceId('log'));
  const server = container.get(serviceId('server'));

  // Ctrl-C reaches a process started through npm twice, so repeated signals are ignored, not obeyed.
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    process.on('SIGINT', resolve).on('SIGTERM', resolve);
  });
  process.on('unhandledRejection', (err) => {
    log.error({ err }, 'a mistake in the program; the service goes on');
  });

  await server.open();
  log.info(
    { url: server.url, store: config.store, readers: config.readers, zone: config.zone },
    `listening on ${server.url}`,
  );
  if (!LOOPBACK.test(config.host)) {
    log.warn(
      { host: config.host },
      'everybody who reaches this address can read and change names: there is no password',
    );
  }
  if (process.stdin.isTTY && config.readers.includes('stdin:'))
    log.info('type the id of a tag and press Enter');

  const signal = await stopped;
  log.info({ signal }, 'stopping');
  setTimeout(() => {
    log.fatal(`could not stop within ${STOP_DEADLINE_MS} ms`);
    process.exit(1);
  }, STOP_DEADLINE_MS).unref();
  await server.close();
  log.info('stopped');
  return 0;
}
