// A whole attendance device. Start it, then send it a tag, in bash: printf 04A2B3C4D5 > /dev/udp/127.0.0.1/4040
import { createServer } from 'node:http';
import { AttendanceService, Calendar, NameService, openAll, toTimestamp } from '@tallybook/domain';
import { createApp, EventFeed } from '@tallybook/http-koa';
import { LevelDatabase, LevelDayStore, LevelMappingStore } from '@tallybook/store-level';
import { UdpIdSource } from './udp-id-source.js';

const { PORT = '8080', UDP_PORT = '4040', DATA = './device-data' } = process.env;

const database = new LevelDatabase(DATA);
const mapping = new LevelMappingStore(database);
const days = new LevelDayStore(database);
const calendar = new Calendar({ zone: 'Europe/Berlin', dayStart: '04:00' });
const attendance = new AttendanceService({ days, mapping, calendar });
const events = new EventFeed(attendance.events);
const clock = { now: () => toTimestamp(Math.floor(Date.now() / 1000)), monotonicMs: () => performance.now() };
const reader = new UdpIdSource(clock, Number(UDP_PORT));
attendance.listen(reader);

const device = await openAll([mapping, days, events, reader]);
const app = createApp({ names: new NameService(mapping), attendance, calendar, events });
const server = createServer(app.callback()).listen(Number(PORT), '127.0.0.1', () => {
  console.log('listening on', server.address());
});

process.once('SIGTERM', () => {
  server.close();
  void device.close().then(() => server.closeAllConnections());
});
