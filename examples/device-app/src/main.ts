// A complete attendance device. Start it, then send it a tag, in bash: printf 04A2B3C4D5 > /dev/udp/127.0.0.1/4040
import { createServer } from 'node:http';
import { SystemClock } from '@tallybook/system';
import {
  AttendanceService,
  Calendar,
  NameService,
  openAll,
  ReaderMonitor,
  Timekeeper,
} from '@tallybook/domain';
import { BackupService } from '@tallybook/domain/record';
import { createApp, EventFeed } from '@tallybook/http-koa';
import { LevelStorage } from '@tallybook/store-level';
import { UdpIdSource } from './udp-id-source.js';

const { PORT = '8080', UDP_PORT = '4040', DATA = './device-data' } = process.env;

const storage = new LevelStorage(DATA);
const { mapping, days, provisional, journal, snapshots } = storage;
const calendar = new Calendar({ zone: 'Europe/Berlin', dayStart: '04:00' });
const clock = new SystemClock();
const timekeeper = new Timekeeper(clock, { builtAt: Date.parse('2026-11-21') / 1000 });
const attendance = new AttendanceService({ days, mapping, provisional, calendar, timekeeper });
const backup = new BackupService({ snapshots, mapping, days, provisional });
const names = new NameService(mapping);
const events = new EventFeed({ attendance, names, journal, clock });
const reader = new UdpIdSource(clock, Number(UDP_PORT));
attendance.listen(reader);
const readers = new ReaderMonitor(timekeeper, [reader]);

const device = await openAll([clock, storage, events, attendance, readers, reader]);
const app = createApp({ names, attendance, calendar, timekeeper, backup, readers, events });
const server = createServer(app.callback()).listen(Number(PORT), '127.0.0.1', () => {
  console.log('listening on', server.address());
});

process.once('SIGTERM', () => {
  server.close();
  void device.close().then(() => server.closeAllConnections());
});
