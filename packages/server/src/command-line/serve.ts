import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { describeStore, makesStoreFolder } from '../config/stores.js';
import { hasPage, pageAddresses } from '../http/page.js';
import { requireFreePlace } from '../http/require-free-place.js';
import { tellAccess, tellZone } from './tell-access.js';
import type { Log } from '../log/log.js';
import { ServiceManager } from '../systemd/service-manager.js';
import { Supervision } from '../systemd/supervision.js';
import { createContainer } from '../wiring/container.js';
import { warnOfIdentity } from '../wiring/identity-provider.js';
import { serviceId } from '../wiring/services.js';

/** Longest time for stopping, in milliseconds. After it, the process ends in any case. */
const STOP_DEADLINE_MS = 4_500;
/** Exit code after a request to restart: systemd starts the service again, also with `Restart=on-failure`. */
const RESTART_EXIT_CODE = 75;
/** Milliseconds until the zone is compared. The first use of `Intl` takes 12 ms, and clients and readers come first. */
const ZONE_AFTER_MS = 1_000;

/** Runs the server until SIGINT, SIGTERM or a request to restart. Resolves with the exit code. Rejects if the server cannot start. */
export async function serve(config: Config): Promise<number> {
  const container = createContainer(config);
  const log = container.get(serviceId('log'));
  const server = container.get(serviceId('server'));

  const onUnhandledRejection = (err: unknown): void => {
    log.error({ err }, 'unexpected error in the program; the service goes on');
  };
  // The program that reads the log may end, such as `head`. The service goes on.
  const onOutputError = (): void => undefined;
  const signals = new Signals();
  const certificate = container.get(serviceId('certificate'));
  // Reads the certificate again. Without a certificate, SIGHUP has no effect.
  const onHangUp = (): void => void certificate.look();
  // On a terminal, SIGHUP means that the terminal was closed, and the service ends.
  if (!process.stdin.isTTY) process.on('SIGHUP', onHangUp);
  const manager = createManager(log);
  const supervision = createSupervision(container, manager);
  // systemd starts the service again when it has ended.
  if (manager.isListening) void container.get(serviceId('restart')).wait().then(signals.restart);
  process.on('unhandledRejection', onUnhandledRejection);
  process.stdout.on('error', onOutputError);
  try {
    supervision.start();
    // If the port is taken, no new, empty store must be left behind: it could hide that a disk is not mounted.
    if (await makesStoreFolder(config.store)) await requireFreePlace(config.host, config.port);
    await server.open();
    supervision.ready(`listening on ${server.url}`);
    const { store, readers, indicators, publishers, zone, maxSubscribers, maxConnections } = config;
    log.info(
      { url: server.url, store: describeStore(store), readers, indicators, publishers, zone },
      `listening on ${server.url}`,
    );
    const page = hasPage() ? pageAddresses(server.url, config) : [];
    tellAccess(container.get(serviceId('tallybook')).access.setup, { log, config, page });
    if (maxSubscribers >= maxConnections) {
      log.warn(
        { maxSubscribers, maxConnections },
        'event streams can take all connections: set --max-connections larger than --max-subscribers',
      );
    }
    const zoneTimer = setTimeout(() => tellZone(log, config), ZONE_AFTER_MS);
    await warnOfIdentity(log, config);
    if (process.stdin.isTTY && readers.some((url) => url.startsWith('stdin:')))
      log.info('type the id of a tag and press Enter');

    const signal = await signals.first;
    log.info({ signal }, 'stopping');
    supervision.stop();
    clearTimeout(zoneTimer);
    const deadline = setTimeout(() => {
      log.fatal(`could not stop within ${STOP_DEADLINE_MS} ms`);
      process.exit(1);
    }, STOP_DEADLINE_MS);
    await server.close();
    clearTimeout(deadline);
    log.info('stopped');
    return signal === 'restart' ? RESTART_EXIT_CODE : 0;
  } finally {
    supervision.end();
    // After a turn of the event loop it is known whether the log is still read.
    await endOfTurn();
    signals.release();
    process.off('unhandledRejection', onUnhandledRejection);
    process.stdout.off('error', onOutputError);
    process.off('SIGHUP', onHangUp);
  }
}

/** Reports the service to systemd; does nothing if systemd has not started it. */
function createSupervision(
  container: ReturnType<typeof createContainer>,
  manager: ServiceManager,
): Supervision {
  const { days } = container.get(serviceId('storage'));
  const calendar = container.get(serviceId('calendar'));
  const timekeeper = container.get(serviceId('timekeeper'));
  const readStore = (): Promise<unknown> => {
    const today = calendar.dayOf(timekeeper.now());
    return days.list(today, today);
  };
  return new Supervision(manager, container.get(serviceId('clock')), readStore);
}

function createManager(log: Log): ServiceManager {
  const manager = new ServiceManager({ env: { ...process.env }, log });
  // Otherwise programs that the service starts would report themselves to systemd, as timedatectl does.
  delete process.env['NOTIFY_SOCKET'];
  return manager;
}

/** Waits for the first signal or request to stop, and ignores the others: Ctrl-C reaches a process started through npm twice. */
class Signals {
  readonly first: Promise<NodeJS.Signals | 'restart'>;
  readonly restart = (): void => this.#resolve('restart');
  #resolve: (reason: NodeJS.Signals | 'restart') => void = () => undefined;

  constructor() {
    this.first = new Promise((resolve) => (this.#resolve = resolve));
    process.on('SIGINT', this.#resolve).on('SIGTERM', this.#resolve);
  }

  release(): void {
    process.off('SIGINT', this.#resolve).off('SIGTERM', this.#resolve);
  }
}
