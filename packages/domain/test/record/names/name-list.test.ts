import { parseTallyId } from '@tallybook/domain';
import { importNameList, NAME_LIST_MAX_LINES, type ListedName } from '@tallybook/domain/record';
import { MemoryMappingStore } from '@tallybook/testing';
import { expect } from 'chai';
import { rejectionOf } from '../../fixtures/throws.js';

const ada = { first: 'Ada', last: 'Lovelace' };
const bob = { first: 'Bob', last: '' };

describe('A list of names', () => {
  let store: MemoryMappingStore;

  beforeEach(async () => {
    store = new MemoryMappingStore();
    await store.open();
    await store.put(parseTallyId('0A0A0A'), ada);
    await store.put(parseTallyId('0B0B0B'), ada);
  });

  afterEach(() => store.close());

  const stored = async (): Promise<unknown> => Object.fromEntries(await store.read());
  const list = [
    { line: 2, id: '0a:0a:0a', name: ada },
    { line: 3, id: '0B0B0B', name: bob },
    { line: 5, id: '0C0C0C', name: { first: ' Bob ', last: '' } },
  ];
  const report = {
    added: 1,
    changed: 1,
    same: 1,
    changes: [
      { line: 3, id: '0B0B0B', before: ada, after: bob },
      { line: 5, id: '0C0C0C', before: undefined, after: bob },
    ],
    refused: [],
  };

  it('gives its names to tags, does not change others, and reports the changes', async () => {
    await store.put(parseTallyId('0D0D0D'), bob);
    expect(await importNameList(store, each(list))).to.deep.equal({ isDryRun: false, ...report });
    expect(await stored()).to.deep.equal({ '0A0A0A': ada, '0B0B0B': bob, '0C0C0C': bob, '0D0D0D': bob });
  });

  it('changes nothing the second time', async () => {
    await importNameList(store, each(list));
    const again = await importNameList(store, each(list));
    expect(again).to.deep.equal({ isDryRun: false, added: 0, changed: 0, same: 3, changes: [], refused: [] });
  });

  it('only reports its changes in a dry run', async () => {
    const before = await stored();
    expect(await importNameList(store, each(list), { isDryRun: true })).to.deep.equal({
      isDryRun: true,
      ...report,
    });
    expect(await stored()).to.deep.equal(before);
  });

  const bad: ListedName[] = [
    { line: 1, id: 'tag', name: ada },
    ...list,
    { line: 6, id: '0D0D0D', name: { first: '', last: '' } },
    { line: 7, code: 'INVALID_NAME_LIST', message: 'a quote is not closed' },
    { line: 8, id: '0B-0B-0B', name: ada },
  ];

  it('is refused as a whole because of one line, and all faulty lines are named', async () => {
    const before = await stored();
    const { refused, ...nothing } = await importNameList(store, each(bad));
    expect(nothing).to.deep.equal({ isDryRun: false, added: 0, changed: 0, same: 0, changes: [] });
    expect(refused.map(({ line, code }) => [line, code])).to.deep.equal([
      [1, 'INVALID_TALLY_ID'],
      [6, 'INVALID_NAME'],
      [7, 'INVALID_NAME_LIST'],
      [8, 'INVALID_NAME_LIST'],
    ]);
    expect(refused.at(-1)?.message).to.include('line 3');
    expect(JSON.stringify(refused)).not.to.match(/Ada|Lovelace|Bob|0B0B0B/);
    expect(await stored()).to.deep.equal(before);
  });

  it('reports in a dry run the faulty lines and the changes of the other lines', async () => {
    const { refused, ...changes } = await importNameList(store, each(bad), { isDryRun: true });
    expect({ ...changes, refused: [] }).to.deep.equal({ isDryRun: true, ...report });
    expect(refused.length).to.equal(4);
  });

  it('may have a tag twice with the same name', async () => {
    const twice = [...list, { line: 9, id: '0C 0C 0C', name: bob }];
    expect(await importNameList(store, each(twice))).to.deep.equal({ isDryRun: false, ...report });
  });

  it(`has at most ${NAME_LIST_MAX_LINES} lines, and the rest is not read`, async () => {
    let read = 0;
    async function* lines(count: number): AsyncGenerator<ListedName, void, undefined> {
      for (read = 0; read < count; read++) {
        yield { line: read + 1, id: String(read).padStart(8, '0'), name: ada };
      }
    }
    expect((await importNameList(store, lines(NAME_LIST_MAX_LINES))).added).to.equal(NAME_LIST_MAX_LINES);
    const { refused } = await importNameList(store, lines(Infinity));
    expect(refused.map(({ line, code }) => [line, code])).to.deep.equal([
      [NAME_LIST_MAX_LINES + 1, 'INVALID_NAME_LIST'],
    ]);
    expect(read).to.equal(NAME_LIST_MAX_LINES);
  });

  it('is not read to its end after a thousand faulty lines', async () => {
    const lines = Array.from({ length: 1_500 }, (_, n) => ({ line: n + 2, id: '', name: ada }));
    const good = { line: 1, id: '0A0A0A', name: ada };
    expect((await importNameList(store, each([good, ...lines]))).refused.length).to.equal(1_000);
  });

  it('is refused for one cause if that is the cause of all its lines', async () => {
    const lines = Array.from({ length: 60 }, (_, n) => ({ line: n + 2, id: String(n), name: ada }));
    for (const isDryRun of [true, false]) {
      const { refused } = await importNameList(store, each(lines), { isDryRun });
      expect(refused.map(({ line, code }) => [line, code])).to.deep.equal([[2, 'INVALID_TALLY_ID']]);
      expect(refused[0]?.message).to.match(
        /^a tally id is .*; 59 other lines are refused for the same reason$/,
      );
    }
    const code = 'INVALID_NAME_LIST';
    const unlike = [
      { line: 2, code, message: 'one' },
      { line: 3, code, message: 'another' },
    ] as const;
    expect((await importNameList(store, each(unlike))).refused).to.deep.equal(unlike);
  });

  it('rejects as the store or its source does', async () => {
    const gone = new Error('gone');
    // oxlint-disable-next-line require-yield -- it fails before the first line.
    async function* failing(): AsyncGenerator<ListedName, void, undefined> {
      throw gone;
    }
    expect(await importNameList(store, failing()).catch((error: unknown) => error)).to.equal(gone);
    await store.close();
    await rejectionOf('NOT_OPEN', importNameList(store, each(list)));
    await rejectionOf('NOT_OPEN', importNameList(store, each(list), { isDryRun: true }));
  });

  it('does not treat a programming mistake as a faulty line', async () => {
    const broken = Object.defineProperty({ line: 1, name: ada }, 'id', {
      get: () => {
        throw new TypeError('mistake');
      },
    }) as unknown as ListedName;
    const error: unknown = await importNameList(store, each([broken])).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TypeError);
  });
});

async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}
