import { Socket } from 'node:net';
import { expect } from 'chai';
import { SilentPeers } from '../../src/http/silent-peers.js';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';

interface Row {
  /** Address in the form of a little-endian kernel. */
  readonly remote: string;
  readonly retransmissions?: number;
  readonly probes?: number;
}

/** A table in the form of Linux 6.1, with connections to port 8080. */
function table(...rows: Row[]): string {
  const lines = rows.map(({ remote, retransmissions = 0, probes = 0 }, n) => {
    const local = `${'0'.repeat(remote.length - 5)}:1F90`;
    const tries = retransmissions.toString(16).toUpperCase().padStart(8, '0');
    return `   ${n}: ${local} ${remote} 01 0000000E:00000000 01:00000045 ${tries}     0        ${probes} 50364 3 00000000a3b1d0c2 180 4 30 10 -1`;
  });
  return [HEAD, ...lines, ''].join('\n');
}

function connection(remoteAddress: string, remotePort = 50_000): Socket {
  const address = { remoteAddress, remotePort, localPort: 8080 };
  return Object.defineProperties(
    new Socket(),
    Object.fromEntries(Object.entries(address).map(([name, value]) => [name, { value }])),
  );
}

/** Whether a connection is cut after checks with these tables. */
async function isCut(socket: Socket, ...looks: string[]): Promise<boolean> {
  let shown = '';
  const peers = new SilentPeers(
    () => [socket],
    () => Promise.resolve([shown]),
  );
  for (const look of looks) {
    shown = look;
    await peers.look();
  }
  return socket.destroyed;
}

describe('SilentPeers', () => {
  const addresses: [address: string, remote: string][] = [
    ['192.168.1.23', '1701A8C0:C350'],
    ['2001:db8::7', 'B80D0120000000000000000007000000:C350'],
    ['fe80::1ff:fe23:4567%eth0', '000080FE00000000FF010000674523FE:C350'],
    ['::ffff:192.168.1.23', '0000000000000000FFFF00001701A8C0:C350'],
  ];
  for (const [address, remote] of addresses) {
    it(`cuts ${address} when the kernel got no answer from one check to the next`, async () => {
      const silent = table({ remote, retransmissions: 6 });
      expect(await isCut(connection(address), silent)).to.equal(false);
      expect(await isCut(connection(address), silent, table({ remote, retransmissions: 7 }))).to.equal(true);
    });
  }

  const [[address, remote] = ['', '']] = addresses;

  it('cuts a client that no longer answers when room is needed', async () => {
    const silent = table({ remote, probes: 5 });
    expect(await isCut(connection(address), silent, silent)).to.equal(true);
  });

  it('leaves a client that has answered in between', async () => {
    for (const second of [
      table({ remote, retransmissions: 3 }),
      table({ remote, retransmissions: 0 }),
      table(),
    ]) {
      expect(await isCut(connection(address), table({ remote, retransmissions: 7 }), second)).to.equal(false);
    }
  });

  it('keeps a slow client, and cuts one that answers none of three successive probes', async () => {
    for (const [attempts, isGone] of [
      [2, false],
      [3, true],
    ] as const) {
      const slow = table({ remote, retransmissions: attempts, probes: attempts });
      expect(await isCut(connection(address), slow, slow)).to.equal(isGone);
    }
  });

  it('keeps another connection of the same address, and the same port of another address', async () => {
    const silent = table({ remote, retransmissions: 10 });
    expect(await isCut(connection(address, 50_001), silent, silent)).to.equal(false);
    expect(await isCut(connection('192.168.1.24'), silent, silent)).to.equal(false);
  });

  it('keeps all connections if the system gives no data', async () => {
    expect(await isCut(connection(address), '', '')).to.equal(false);
    const peers = new SilentPeers(() => [connection(address)]);
    await peers.look();
    await peers.look();
  });
});
