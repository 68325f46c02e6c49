import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildFinal, buildImage } from '../cuts/crash-image.js';
import { judgeImage } from '../cuts/judge-image.js';
import { newStore, Recording, STORE } from '../cuts/recording.js';
import { Tracer } from '../cuts/tracer.js';
import { Random } from '../random.js';
import { problemsOf } from '../verdict.js';

/** So many that there are names and scans among them. */
const EXTENT = { acknowledgements: 300 };

describe('A run of the service that was recorded', () => {
  let folder = '';
  let recording: Recording | undefined;

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'tallybook-recording-'));
    const tracer = Tracer.compile(folder);
    if (tracer === undefined) this.skip('there is no C compiler, cc');
    recording = await Recording.make(tracer, newStore, new Random(10), {}, EXTENT);
  });
  after(() => rm(folder, { recursive: true }));

  function made(): Recording {
    if (recording === undefined) throw new Error('nothing was recorded');
    return recording;
  }

  it('holds what was noted and what was written, and is judged right if all of it reached the disk', async () => {
    const { history } = made();
    const notes = made().notesUntil(history.length);
    expect(notes).to.include('opening');
    expect(notes.some((note) => note.startsWith('answered '))).to.equal(true);
    const ledger = made().ledgerUntil(history.length);
    expect(problemsOf(await judgeImage(buildFinal(history), ledger))).to.deep.equal([]);
  });

  it('keeps scans as provisional while its clock is doubted, and files them', async () => {
    const tracer = Tracer.compile(folder);
    if (tracer === undefined) throw new Error('there was a compiler');
    const doubted = await Recording.make(tracer, newStore, new Random(15), { DOUBTED: '5' }, EXTENT);
    const { history } = doubted;
    const notes = doubted.notesUntil(history.length);
    expect(notes.some((note) => note.startsWith('held '))).to.equal(true);
    const ledger = doubted.ledgerUntil(history.length);
    expect(problemsOf(await judgeImage(buildFinal(history), ledger))).to.deep.equal([]);
    ledger.take('held A0000001 23148 2000000000 1000000000');
    expect((await judgeImage(buildFinal(history), ledger)).broken).not.to.be.empty;
  });

  it('is judged wrong without its store', async () => {
    const { history } = made();
    const tree = [...buildFinal(history)].filter(([path]) => !path.startsWith(STORE));
    expect(problemsOf(await judgeImage(new Map(tree), made().ledgerUntil(history.length)))).not.to.be.empty;
  });

  it('builds the same image again after it was kept', async () => {
    const kept = join(folder, 'kept');
    await made().save(kept);
    const read = await Recording.load(kept);
    const random = new Random(2);
    for (let n = 0; n < 20; n++) {
      const at = made().chooseCut(random);
      const images = [made(), read].map(({ history }) =>
        buildImage(history, { at, fileSystem: 'log' }, new Random(n)),
      );
      expect(images[1]).to.deep.equal(images[0]);
      expect(read.notesUntil(at)).to.deep.equal(made().notesUntil(at));
    }
  });

  it('is often cut right after a sync, when what belongs together may be apart', () => {
    const random = new Random(3);
    const synced = new Set(made().history.syncs.map(({ end }) => end + 1));
    const cuts = Array.from({ length: 100 }, () => made().chooseCut(random));
    expect(cuts.filter((at) => synced.has(at))).to.have.lengthOf.above(15);
  });

  it('is what the next run begins with', () => {
    const { history } = made();
    const next = made().next(buildFinal(history), history.length);
    expect(next.generation).to.equal(1);
    expect(next.notes).to.deep.equal(made().notesUntil(history.length));
  });
});
