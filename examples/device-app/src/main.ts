// A complete attendance device. Start it, then send it a tag, in bash: printf 04A2B3C4D5 > /dev/udp/127.0.0.1/4040
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
const app = createApp(tallybook);
const fail = ({ message }: Error): void => {
  console.error(`the device cannot start: ${message}`);
  process.exit(1);
};
process.once('SIGTERM', () => void tallybook.close().then(() => process.exit()));
await tallybook.open().catch(fail);
const server = app.listen(Number(PORT), '127.0.0.1', () => console.log('listening on', server.address()));
server.once('error', fail);
