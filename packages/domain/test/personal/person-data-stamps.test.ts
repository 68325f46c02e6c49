import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { type Trace } from '@tallybook/domain/record';
import { NOWHERE } from '@tallybook/domain';
import { countTraces, personData } from '@tallybook/domain/personal';
import { reading } from '../fixtures/streams.js';

const id = parseTallyId('04A2B3C4D5');
const at = toTimestamp(1_763_500_000);
const stamp = { ms: at * 1_000 + 999, counter: 2, node: 'hall' };
const entry: Trace = {
  kind: 'entry',
  day: toDay(20_410),
  entry: { id, first: at, last: at, count: 1 },
  scans: [at],
};

async function fileOf(...traces: readonly Trace[]): Promise<Readonly<Record<string, unknown>>> {
  const erasures = { trace: () => reading(traces) };
  return (await json(personData(id, at, { erasures }))) as Readonly<Record<string, unknown>>;
}

describe('The file for a person whose name has a stamp', () => {
  it('shows when the name was given, and on which device', async () => {
    const file = await fileOf(
      { kind: 'name', name: { first: 'Ada', last: '' } },
      { kind: 'stamp', stamp },
      entry,
    );
    expect(file).to.deep.include({
      name: { first: 'Ada', last: '' },
      nameChanged: { at: '2025-11-18T21:06:40Z', device: 'hall' },
    });
    expect(file['days']).to.have.lengthOf(1);
    expect(file['legend']).to.have.property('nameChanged');
  });

  it('shows that of a removed name, also if the time was unknown', async () => {
    expect(await fileOf({ kind: 'stamp', stamp }, entry)).to.deep.include({
      name: null,
      nameChanged: { at: '2025-11-18T21:06:40Z', device: 'hall' },
    });
    expect(await fileOf({ kind: 'stamp', stamp: { ...stamp, node: NOWHERE } })).to.deep.include({
      nameChanged: { at: null, device: null },
    });
    expect(await fileOf({ kind: 'stamp', stamp: undefined })).to.deep.include({
      ...{ name: null, nameChanged: { at: null, device: null } },
      ...{ days: [], provisional: [], corrections: [], journal: [] },
    });
  });

  it('does not show it if names have no stamps', async () => {
    expect(await fileOf(entry)).to.not.have.property('nameChanged');
  });

  it('does not count the stamp', async () => {
    const counts = await countTraces(reading([{ kind: 'stamp', stamp }]));
    expect(Object.values(counts).every((count) => count === 0 || count === false)).to.equal(true);
  });
});
