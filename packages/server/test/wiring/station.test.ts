import { writeFile } from 'node:fs/promises';
import { createReading, parseTallyId, toDay, toTimestamp, type TallyId } from '@tallybook/domain';
import { serviceId } from '@tallybook/server';
import { expect } from 'chai';
import { call } from '../fixtures/processes/called.js';
import { until } from '../fixtures/processes/centre.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { openServer } from '../fixtures/container-of.js';

const ada = parseTallyId('04A2B3C4D5');
const grace = parseTallyId('0011223344');

describe('A server that is a station', () => {
  const folder = temporaryFolder();
  const quiet = { reader: ['simulated:?every=1d'], clock: 'trusted' };

  it('has the same taps, names, corrections and erasures as its centre, from both places', async () => {
    const store = `level:${folder.path('centre')}`;
    await using centreServer = await openServer({ ...quiet, store });
    const centre = centreServer.container;
    const { output } = await call('token', 'add', 'hall', '--role', 'station', '--store', store);
    await writeFile(folder.path('token'), output, { mode: 0o600 });
    const upstream = { upstream: centreServer.url, upstreamTokenFile: folder.path('token') };
    await using stationServer = await openServer({ ...quiet, ...upstream });
    const station = stationServer.container;
    const tap = async (container: typeof centre, id: TallyId): Promise<void> =>
      container
        .get(serviceId('tallybook'))
        .attendance.take(createReading(container.get(serviceId('clock')), 'door', id));
    const [from, to] = [toDay(0), toDay(4_000_000)];
    const tagsOf = async (container: typeof centre): Promise<readonly TallyId[]> => {
      const days = container.get(serviceId('tallybook')).days;
      const all = await Promise.all((await days.list(from, to)).map((day) => days.load(day)));
      return all.flatMap((day) => day?.entries.map(({ id }) => id) ?? []);
    };
    const correctionsOf = (container: typeof centre) =>
      container.get(serviceId('storage')).corrections?.list(from, to) ?? Promise.resolve([]);

    await tap(station, ada);
    await until(async () => (await tagsOf(centre)).includes(ada));
    await centre.get(serviceId('tallybook')).names.put(grace, { first: 'Grace', last: 'Hopper' });
    await until(async () => (await station.get(serviceId('storage')).mapping.get(grace)) !== undefined);
    const at = toTimestamp(centre.get(serviceId('timekeeper')).now() - 60);
    const day = centre.get(serviceId('calendar')).dayOf(at);
    const missing = { action: 'add', day, reason: 'Forgot to tap', at } as const;
    await station.get(serviceId('tallybook')).corrections?.correct([{ ...missing, id: grace }], 'desk');
    await until(async () => (await correctionsOf(centre)).length === 1);
    await centre
      .get(serviceId('tallybook'))
      .personal?.erasures.erase([ada], { isDryRun: false, actor: 'admin' });
    await until(async () => !(await tagsOf(station)).includes(ada));
    // Recorded at the end of an erasure.
    const erasedBy = async (): Promise<readonly string[]> => {
      const audit = await station.get(serviceId('storage')).audit.read(0, 9);
      return audit.filter(({ action }) => action === 'person-erased').map(({ actor }) => actor);
    };
    await until(async () => (await erasedBy()).length > 0);
    expect(await erasedBy()).to.deep.equal([`centre ${new URL(centreServer.url).host}`]);
    const partsOf = async (container: typeof centre): Promise<readonly string[]> =>
      (await container.get(serviceId('health')).read()).parts.map(({ part }) => part);
    expect(await partsOf(station))
      .to.include('upstream')
      .and.not.include('stations');
    expect(await partsOf(centre))
      .to.include('stations')
      .and.not.include('upstream');
    const [heard] = (await centre.get(serviceId('tallybook')).centre?.stations()) ?? [];
    expect(heard).to.deep.include({ name: 'hall', refused: [] });
    expect(heard?.status.version).to.match(/^\d+\.\d+\.\d+/);
  });
});
