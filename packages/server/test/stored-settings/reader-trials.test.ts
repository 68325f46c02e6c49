import { symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { AttendanceService, Calendar, parseTallyId, Timekeeper, toDay } from '@tallybook/domain';
import { ManualClock, MemoryDayStore, MemoryMappingStore, ScriptedIdSource } from '@tallybook/testing';
import { expect } from 'chai';
import { watchAppointments, type Appointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { adaptersOf } from '../../src/config/adapters.js';
import { ReaderTrials } from '../../src/stored-settings/reader-trials.js';
import { failureOf } from '../fixtures/failure-of.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const ada = parseTallyId('04A2B3C4D5');
const unending = new AbortController().signal;

describe('The trials of readers', () => {
  const folder = temporaryFolder();
  let clock: ManualClock;
  let appointments: Appointments;
  let door: ScriptedIdSource;
  let attendance: AttendanceService;
  const days = new MemoryDayStore();
  const mapping = new MemoryMappingStore();
  beforeEach(async () => {
    clock = new ManualClock();
    appointments = watchAppointments(clock);
    door = new ScriptedIdSource(clock, 'door');
    attendance = new AttendanceService({
      ...{ days, mapping, calendar: new Calendar(), timekeeper: new Timekeeper(clock) },
    });
    for (const part of [days, mapping, attendance, door]) await part.open();
    attendance.listen(door);
  });
  afterEach(async () => {
    for (const part of [door, attendance, mapping, days]) await part.close();
  });

  /** Trials beside a service whose only reader has this URL. */
  const trialsWith = (url: string): ReaderTrials =>
    new ReaderTrials({ registry: adaptersOf().readers, urls: [url], sources: [door], attendance, clock });

  /** Lets a trial begin, which looks for the files of devices first. */
  async function begun(): Promise<void> {
    const before = appointments.asked.length;
    while (appointments.asked.length === before) await new Promise(setImmediate);
  }

  it('end after 20 seconds without a tag', async () => {
    const trial = trialsWith('simulated:').run('simulated:', unending);
    await begun();
    clock.advance(20_000);
    expect(await trial).to.deep.equal({ raw: undefined, id: undefined, faults: [] });
    door.present(ada);
    await attendance.settled();
    expect((await days.list(toDay(0), toDay(30_000))).length).to.equal(1);
  });

  it('end at once with their signal, and take no tap after that', async () => {
    const leaving = new AbortController();
    const trials = trialsWith('simulated:');
    const trial = trials.run('simulated:', leaving.signal);
    await begun();
    leaving.abort();
    expect((await trial).id).to.equal(undefined);
    const next = trials.run('simulated:', unending);
    await begun();
    door.present(ada);
    expect((await next).id).to.equal(ada);
  });

  it('give the faults of a reader in use', async () => {
    const trial = trialsWith('simulated:').run('simulated:', unending);
    await begun();
    door.present('no id');
    door.present(ada);
    const { id, faults } = await trial;
    expect([id, faults.map(({ code }) => code)]).to.deep.equal([ada, ['INVALID_TALLY_ID']]);
  });

  it('run one at a time', async () => {
    const trials = trialsWith('simulated:');
    const first = trials.run('simulated:', unending);
    await failureOf(trials.run('simulated:', unending), 'READER_BUSY');
    await begun();
    door.present(ada);
    await first;
  });

  it('report a device that is missing as a fault', async () => {
    const url = `serial:${folder.path('missing')}`;
    const { faults } = await trialsWith('simulated:').run(url, AbortSignal.timeout(500));
    expect(faults.map(({ code }) => code)).to.deep.equal(['READER_DISCONNECTED']);
  });

  it('know a reader in use by its device, whatever its name, its link and its other parameters', async () => {
    await writeFile(folder.path('ttyUSB0'), '');
    symlinkSync(folder.path('ttyUSB0'), folder.path('by-id'));
    const serial = trialsWith(`serial:${folder.path('ttyUSB0')}?name=door&baud=9600`);
    for (const [url, isIt] of [
      [`serial:${folder.path('by-id')}`, true],
      [`serial:${folder.path('other')}`, false],
      [`hid:${folder.path('ttyUSB0')}`, false],
    ] as const)
      expect(await serial.isInUse(url), url).to.equal(isIt);
    const wiegand = trialsWith('wiegand:gpiochip0?d0=17&d1=18');
    expect(await wiegand.isInUse('wiegand:/dev/gpiochip0?d0=17&d1=18&name=x')).to.equal(true);
    expect(await wiegand.isInUse('wiegand:/dev/gpiochip0?d0=5&d1=6')).to.equal(false);
    const mqtt = trialsWith('mqtt://broker.local/tags');
    expect(await mqtt.isInUse('mqtt://broker.local/tags?format=dec10')).to.equal(true);
    expect(await mqtt.isInUse('mqtt://other.local/tags')).to.equal(false);
  });
});
