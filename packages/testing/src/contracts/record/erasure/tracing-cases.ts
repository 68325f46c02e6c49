import assert from 'node:assert/strict';
import { parseTallyId } from '@tallybook/domain';
import type { ContractCase } from '../../../runner.js';
import { ada, at, correctionOf, fill, first, second, tracesOf } from './erasure-data.js';
import { onStores, type MakeErasures } from './erasure-subject.js';

/** The traces of a tag. */
export const tracingCases: readonly ContractCase<MakeErasures>[] = [
  onStores('traces everything that is kept of a tag, in its order', async (subject) => {
    await fill(subject);
    // Not all stores keep stamps.
    const traces = (await tracesOf(subject.erasures, ada)).filter(({ kind }) => kind !== 'stamp');
    assert.deepEqual(
      traces.map(({ kind }) => kind),
      [
        'name',
        'entry',
        'entry',
        'provisional',
        'correction',
        'correction',
        ...Array<string>(8).fill('change'),
      ],
    );
    const [name, entry, other] = traces;
    assert.deepEqual(name, { kind: 'name', name: { first: 'Ada', last: 'Lovelace' } });
    assert.deepEqual(entry, {
      kind: 'entry',
      day: first,
      entry: { id: ada, first: at(5), last: at(9), count: 3 },
      scans: [at(5), at(7), at(9)],
    });
    assert.equal(other?.kind === 'entry' && other.day, second);
    assert.deepEqual(traces[4], {
      kind: 'correction',
      correction: { ...correctionOf(ada, first, 11), number: 1 },
    });
  }),
  onStores('traces nothing of an unknown tag', async (subject) => {
    await fill(subject);
    assert.deepEqual(await tracesOf(subject.erasures, parseTallyId('010203')), []);
  }),
];
