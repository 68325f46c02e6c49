import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { Renderings, type Answer, type JoinedStream } from '../../src/answers/renderings.js';
import { ask, Shelf, textOf, turns } from '../fixtures/shelf.js';

/** A promise and the function that resolves it. */
function gate(): { readonly opens: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opens = new Promise<void>((resolve) => (open = resolve));
  return { opens, open: () => open() };
}

function expectStream(answer: Answer | undefined | 'gone'): asserts answer is JoinedStream {
  expect(answer).to.have.property('rendering');
}

const etagOf = (answer: Answer | undefined | 'gone'): string | undefined =>
  typeof answer === 'object' ? answer.headers.etag : undefined;

describe('Renderings', () => {
  it('give the same bytes while the revision stays', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    const shelf = new Shelf();
    expect(await ask(renderings, shelf)).to.equal(await ask(renderings, shelf));
    expect(shelf.opened).to.equal(1);
  });

  it('read again when the revision changes, and have another tag then', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    const shelf = new Shelf();
    const before = await ask(renderings, shelf);
    expect(await textOf(before)).to.equal('one');
    shelf.content = ['two', '!'];
    const after = await ask(renderings, shelf);
    expect(await textOf(after)).to.equal('two!');
    expect(etagOf(after)).to.not.equal(etagOf(before));
  });

  it('read once for all clients that ask at the same time', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    const shelf = new Shelf();
    await Promise.all(Array.from({ length: 20 }, () => ask(renderings, shelf)));
    await turns();
    expect([shelf.opened, shelf.disposed]).to.deep.equal([1, 1]);
  });

  it('make later clients wait for the rendering of their revision that is under way', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    const shelf = new Shelf();
    const { opens, open } = gate();
    shelf.gate = opens;
    const first = ask(renderings, shelf);
    await turns();
    const later = ask(renderings, shelf);
    await turns();
    open();
    expect(await first).to.equal(await later);
    expect(shelf.opened).to.equal(1);
  });

  it('read one state of a resource at a time, and then one for all requests of later states', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    const shelf = new Shelf();
    const { opens, open } = gate();
    shelf.gate = opens;
    const before = ask(renderings, shelf);
    await turns();
    const later = [];
    for (const word of ['two', 'three', 'four']) {
      shelf.content = [word];
      later.push(ask(renderings, shelf));
      await turns();
    }
    expect(shelf.opened).to.equal(1);
    open();
    expect(await textOf(await before)).to.equal('one');
    for (const answer of later) expect(await textOf(await answer)).to.equal('four');
    expect(shelf.opened).to.equal(2);
  });

  it('do not keep a failure, and do not block others by it', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    const shelf = new Shelf();
    shelf.gate = Promise.reject(new Error('unreadable'));
    const failures = await Promise.allSettled([ask(renderings, shelf), ask(renderings, shelf)]);
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    shelf.gate = Promise.resolve();
    expect(await textOf(await ask(renderings, shelf))).to.equal('one');
  });

  it('do not keep a missing resource', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    let reads = 0;
    const nothing = { key: 'x', revision: async () => '0', open: async () => void reads++ };
    for (let n = 0; n < 2; n++) {
      expect(await renderings.get(nothing, '0', new EventEmitter())).to.equal(undefined);
      expect(renderings.kept('x', '0')).to.equal(undefined);
    }
    expect(reads).to.equal(2);
  });

  it('ignore a source that cannot be disposed of', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    const shelf = new Shelf();
    const failure = new Error('the store is closing');
    shelf.onDispose = () => Promise.reject(failure);
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    expect(await textOf(await ask(renderings, shelf))).to.equal('one');
    await turns();
    process.off('unhandledRejection', note);
    expect(shelf.disposed).to.equal(1);
    expect(unhandled).to.deep.equal([]);
  });

  it('do not keep a resource that changed during its opening, and give it a unique tag', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    const shelf = new Shelf();
    shelf.onOpen = () => (shelf.content = [...shelf.content, '+']);
    const revision = await shelf.revision();
    const answer = await ask(renderings, shelf);
    expect(await textOf(answer)).to.equal('one');
    for (const each of [revision, await shelf.revision()]) {
      expect(etagOf(answer)).to.not.equal(renderings.tagOf(shelf.key, each));
      expect(renderings.kept(shelf.key, each)).to.equal(undefined);
    }
  });

  it('have tags that differ from those of another run', async () => {
    const [one, other] = [
      new Renderings({ maxCachedBytes: 10_000 }),
      new Renderings({ maxCachedBytes: 10_000 }),
    ];
    expect(one.tagOf('shelf', '1')).to.not.equal(other.tagOf('shelf', '1'));
    expect(one.tagOf('shelf', '1')).to.equal(one.tagOf('shelf', '1'));
    expect(one.tagOf('shelf', '1')).to.not.equal(one.tagOf('other', '1'));
    expect(etagOf(await ask(one, new Shelf()))).to.equal(one.tagOf('shelf', 'one'));
  });

  it('forget the least recently requested when they are full', async () => {
    const renderings = new Renderings({ maxCachedBytes: 3_000 });
    const shelves = ['a', 'b', 'c'].map((key) => new Shelf(key));
    for (const shelf of shelves) {
      shelf.content = ['x'.repeat(800)];
      await ask(renderings, shelf);
    }
    for (const shelf of shelves.toReversed()) await ask(renderings, shelf);
    expect(shelves.map(({ opened }) => opened)).to.deep.equal([2, 1, 1]);
  });

  it('keep a rendering of exactly the allowed size', async () => {
    const renderings = new Renderings({ maxCachedBytes: 1_000 });
    const shelf = new Shelf();
    shelf.content = ['x'.repeat(600), 'y'.repeat(400)];
    await ask(renderings, shelf);
    expect(renderings.kept(shelf.key, await shelf.revision())?.body.length).to.equal(1_000);
  });
});

describe('A rendering without waiting clients', () => {
  it('is given up before it has begun', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    const shelf = new Shelf();
    const { opens, open } = gate();
    shelf.gate = opens;
    const first = ask(renderings, shelf);
    await turns();
    shelf.content = ['two'];
    const client = new EventEmitter();
    const second = ask(renderings, shelf, client);
    await turns();
    client.emit('close');
    expect(await second).to.equal('gone');
    open();
    await first;
    await turns();
    expect(shelf.opened).to.equal(1);
  });

  it('is given up in the middle, and its source is released', async () => {
    const renderings = new Renderings({ maxCachedBytes: 10_000 });
    const shelf = new Shelf();
    shelf.content = Array.from({ length: 1_000 }, String);
    const clients = [new EventEmitter(), new EventEmitter()];
    const answers = clients.map((client) => ask(renderings, shelf, client));
    while (shelf.reads < 10) await turns(1);
    clients[0]?.emit('close');
    const { reads } = shelf;
    while (shelf.reads < reads + 10) await turns(1);
    clients[1]?.emit('close');
    expect(await Promise.all(answers)).to.deep.equal(['gone', 'gone']);
    await turns();
    const { reads: after } = shelf;
    await turns();
    expect(shelf.reads).to.equal(after);
    expect(after).to.be.below(100);
    expect(shelf.disposed).to.equal(1);
    // Nothing of it is kept for the next request.
    expect(await textOf(await ask(renderings, shelf))).to.equal(shelf.content.join(''));
  });

  it('leaves no listener on a client that has its answer', async () => {
    const client = new EventEmitter();
    await ask(new Renderings({ maxCachedBytes: 10_000 }), new Shelf(), client);
    expect(client.listenerCount('close')).to.equal(0);
  });
});

describe('A rendering that is too large to be kept', () => {
  const large = (): Shelf => {
    const shelf = new Shelf();
    shelf.content = Array.from({ length: 100 }, (_, n) => `${n}${'x'.repeat(98)}`);
    return shelf;
  };

  it('is streamed completely, with the tag of its revision', async () => {
    const renderings = new Renderings({ maxCachedBytes: 1_000 });
    const shelf = large();
    const answer = await ask(renderings, shelf);
    expectStream(answer);
    expect(await textOf(answer)).to.equal(shelf.content.join(''));
    expect(answer.headers.etag).to.equal(renderings.tagOf(shelf.key, await shelf.revision()));
  });

  it('is rendered once for all clients of the same speed', async () => {
    const renderings = new Renderings({ maxCachedBytes: 1_000 });
    const shelf = large();
    await textOf(await ask(renderings, shelf));
    const { reads } = shelf;
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(renderings, shelf)));
    const texts = await Promise.all(answers.map(textOf));
    expect(new Set(texts)).to.deep.equal(new Set([shelf.content.join('')]));
    // Unlike the first time, no answer was collected before it was sent.
    expect(shelf.reads - reads).to.equal(100);
  });

  it('is rendered again for a client that is far behind, because only the latest pieces are kept', async () => {
    const renderings = new Renderings({ maxCachedBytes: 1_000 });
    const shelf = large();
    const [behind, ahead] = [await ask(renderings, shelf), await ask(renderings, shelf)];
    expectStream(behind);
    await textOf(ahead);
    const { reads } = shelf;
    expect(await textOf(behind)).to.equal(shelf.content.join(''));
    expect(shelf.reads - reads).to.equal(100);
  });

  it('comes from one state for a client that is far behind, and for a late client', async () => {
    const renderings = new Renderings({ maxCachedBytes: 1_000 });
    const shelf = large();
    const whole = shelf.content.join('');
    const slow = await ask(renderings, shelf);
    expectStream(slow);
    const pieces = slow.rendering.pieces();
    let text = String((await pieces.next()).value);
    expect(await textOf(await ask(renderings, shelf))).to.equal(whole);
    const revision = await shelf.revision();
    const late = await renderings.get(shelf, revision, new EventEmitter());
    shelf.content = ['new'];
    for await (const piece of pieces) text += piece.toString();
    expect(text).to.equal(whole);
    expect(await textOf(late)).to.equal(whole);
    slow.leave();
    expect([shelf.opened, shelf.disposed]).to.deep.equal([1, 1]);
  });

  it('does not delay requests for a later state', async () => {
    const renderings = new Renderings({ maxCachedBytes: 1_000 });
    const shelf = large();
    const slow = await ask(renderings, shelf);
    shelf.content = ['new'];
    // The previous state was large, so this one is streamed too, and then known to be small.
    expect(await textOf(await ask(renderings, shelf))).to.equal('new');
    expect(await textOf(slow)).to.have.length(9_990);
  });

  it('is kept again when it has become small', async () => {
    const renderings = new Renderings({ maxCachedBytes: 1_000 });
    const shelf = large();
    await textOf(await ask(renderings, shelf));
    shelf.content = ['small'];
    await textOf(await ask(renderings, shelf));
    shelf.content = ['smaller'];
    await ask(renderings, shelf);
    expect(renderings.kept(shelf.key, 'smaller')?.body.toString()).to.equal('smaller');
  });
});
