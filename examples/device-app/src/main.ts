// A complete attendance device. Start it, then send it a tag, in bash: printf 04A2B3C4D5 > /dev/udp/127.0.0.1/4040
import { createServer } from 'node:http';
import { createTallybook } from '@tallybook/domain';
import { record } from '@tallybook/domain/record';
import { createApp } from '@tallybook/http-koa';
import { LevelStorage } from '@tallybook/store-level';
import { SystemClock } from '@tallybook/system';
import { UdpIdSource } from './udp-id-source.js';

const { PORT = '8080', UDP_PORT = '4040', DATA = './device-data' } = process.env;
const tallybook = createTallybook({
  storage: new LevelStorage(DATA),
  clock: new SystemClock(),
  calendar: { zone: 'Europe/Berlin', dayStart: '04:00' },
  builtAt: Date.parse('2026-11-21') / 1000,
  readers: [({ clock }) => new UdpIdSource('door', clock, Number(UDP_PORT))],
  with: [record()],
});
const server = createServer(createApp(tallybook).callback());
await tallybook.open();
server.listen(Number(PORT), '127.0.0.1', () => console.log('listening on', server.address()));
process.once('SIGTERM', () => {
  server.close();
  void tallybook.close().then(() => server.closeAllConnections());
});
