import { readFile } from 'node:fs/promises';
import { SocketAddress, type Socket } from 'node:net';

/** The tables of connections on Linux. Other systems have no such files. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/**
 * Number of unanswered repeats of a packet after which a client counts as silent. Fewer repeats may be due to a lost
 * packet.
 */
const LEAST_ATTEMPTS = 3;

/**
 * Cuts connections of clients that have gone without closing, such as a phone that leaves the Wi-Fi.
 *
 * The kernel keeps undeliverable bytes for a quarter of an hour, and sends no TCP keep-alive meanwhile. Its table of
 * connections has the number of its attempts. A client that answers nothing between two checks is gone.
 */
export class SilentPeers {
  readonly #sockets: () => Iterable<Socket>;
  readonly #readTables: () => Promise<readonly string[]>;
  #attempts: ReadonlyMap<string, number> = new Map();

  constructor(sockets: () => Iterable<Socket>, readTables: () => Promise<readonly string[]> = readAll) {
    this.#sockets = sockets;
    this.#readTables = readTables;
  }

  /** Cuts the connections that were silent at the last check and still are. */
  async look(): Promise<void> {
    const before = this.#attempts;
    const attempts = new Map((await this.#readTables()).flatMap(readAttempts));
    this.#attempts = attempts;
    for (const socket of this.#sockets()) {
      const key = keyOf(socket.remoteAddress, socket.remotePort, socket.localPort);
      if ((attempts.get(key) ?? 0) >= (before.get(key) ?? Infinity)) socket.destroy();
    }
  }
}

function readAll(): Promise<string[]> {
  return Promise.all(TABLES.map((path) => readFile(path, 'latin1').catch(() => '')));
}

function keyOf(address: string | undefined, port: number | undefined, localPort: number | undefined): string {
  // A link-local address has the name of its interface at the end.
  return `${address?.split('%')[0]} ${port} ${localPort}`;
}

/**
 * The connections of a table with several unanswered repeats in a row, and their number.
 *
 * @see Linux, Documentation/networking/proc_net_tcp.rst: the fields, and what the retransmissions count.
 */
function readAttempts(table: string): [key: string, attempts: number][] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line): [string, number][] => {
      const [, local = '', remote = '', , , , retransmissions = '', , probes] = line.trim().split(/\s+/);
      const attempts = Math.max(parseInt(retransmissions, 16), Number(probes));
      if (!(attempts >= LEAST_ATTEMPTS)) return [];
      const [address = '', port = ''] = remote.split(':');
      const localPort = local.split(':')[1] ?? '';
      return [[keyOf(readAddress(address), parseInt(port, 16), parseInt(localPort, 16)), attempts]];
    });
}

/** Each group of four bytes is a number in the byte order of this machine. */
function readAddress(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  if (isLittleEndian) bytes.swap32();
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, n) => bytes.readUInt16BE(2 * n).toString(16));
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
