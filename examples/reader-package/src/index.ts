import {
  checkName,
  checkRange,
  invalidOption,
  REGISTRATION_VERSION,
  type DeviceRegistration,
  type ReaderDependencies,
  type Registration,
} from '@tallybook/devices';
import { TcpIdSource } from './tcp-id-source.js';

export { TcpIdSource, type TcpAddress } from './tcp-id-source.js';

const ADDRESS = /^(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<host>[^:[\]]+))(?::(?<port>[0-9]+))?$/i;
const PORT = 4_370;

export const tcpReader: DeviceRegistration<'reader', TcpIdSource, ReaderDependencies> = {
  kind: 'reader',
  version: REGISTRATION_VERSION,
  scheme: 'tcp',
  usage: 'tcp://HOST:PORT?name=NAME',
  settings: {
    PORT: { help: 'port of the controller', default: String(PORT) },
    name: { help: 'name of the reader', default: 'HOST' },
  },
  make(url, { clock }) {
    const { ipv6, host = ipv6, port = String(PORT) } = ADDRESS.exec(url.address)?.groups ?? {};
    if (host === undefined) throw invalidOption('it has no host, such as tcp://controller.local');
    url.refusePath();
    const address = { host, port: checkRange('port', Number(port), { lowest: 1, highest: 65_535 }) };
    return new TcpIdSource(checkName(url.text('name') ?? host), address, clock);
  },
  health: ({ trouble }) =>
    trouble === undefined ? { status: 'ok' } : { status: 'warn', detail: `the controller says: ${trouble}` },
  doctor: () => Promise.resolve(['a controller is not found by itself: its address is on its display']),
};

/** What `tallybook serve --use` takes. */
export const adapters: readonly Registration[] = [tcpReader];
