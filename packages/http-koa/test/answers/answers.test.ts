import { expect } from 'chai';
import { Shelf, ShelfServer } from '../fixtures/shelf.js';

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

describe('Answers', () => {
  it('are read once while the revision stays, and have its tag', async () => {
    const shelf = new Shelf();
    await using server = await ShelfServer.start([shelf]);
    const [first, second] = [await server.get(), await server.get()];
    expect(second).to.deep.equal(first);
    expect(first).to.include({ status: 200, text: 'one', length: '3' });
    expect(shelf.opened).to.equal(1);
    expect((await server.get('shelf', { 'If-None-Match': first.etag ?? '' })).status).to.equal(304);
  });

  it('are read again when the revision changes, and have another tag then', async () => {
    const shelf = new Shelf();
    await using server = await ShelfServer.start([shelf]);
    const before = await server.get();
    shelf.content = ['two', '!'];
    const after = await server.get();
    expect(after.text).to.equal('two!');
    expect(after.etag).to.not.equal(before.etag);
  });

  it('have tags that differ from those of another run', async () => {
    await using one = await ShelfServer.start([new Shelf()]);
    await using other = await ShelfServer.start([new Shelf()]);
    expect((await one.get()).etag).to.not.equal((await other.get()).etag);
  });

  it('are read once for all clients that ask at the same time', async () => {
    const shelf = new Shelf();
    const open = shelf.hold();
    await using server = await ShelfServer.start([shelf]);
    const asked = Array.from({ length: 20 }, () => server.get());
    await until(() => shelf.opened === 1);
    open();
    expect(new Set((await Promise.all(asked)).map(({ text }) => text))).to.deep.equal(new Set(['one']));
    expect([shelf.opened, shelf.disposed]).to.deep.equal([1, 1]);
  });

  it('are read one state at a time, and then once for all requests of later states', async () => {
    const shelf = new Shelf();
    const open = shelf.hold();
    await using server = await ShelfServer.start([shelf]);
    const before = server.get();
    await until(() => shelf.opened === 1);
    const later = [];
    for (const word of ['two', 'three', 'four']) {
      shelf.content = [word];
      later.push(server.get());
      await server.get('nothing');
    }
    expect(shelf.opened).to.equal(1);
    open();
    expect((await before).text).to.equal('one');
    for (const answer of later) expect((await answer).text).to.equal('four');
    expect(shelf.opened).to.equal(2);
  });

  it('are not kept when they fail, and block nobody then', async () => {
    const shelf = new Shelf();
    shelf.onOpen = () => {
      throw new Error('unreadable');
    };
    await using server = await ShelfServer.start([shelf]);
    const failures = await Promise.all([server.get(), server.get()]);
    expect(failures.map(({ status }) => status)).to.deep.equal([500, 500]);
    shelf.onOpen = () => undefined;
    expect((await server.get()).text).to.equal('one');
  });

  it('are given, and release what they opened, if their revision cannot be read after it', async () => {
    const shelf = new Shelf();
    await using server = await ShelfServer.start([shelf]);
    shelf.onOpen = () => (shelf.failure = new Error('the connection is gone'));
    expect(await server.get()).to.include({ status: 200, text: 'one' });
    expect([shelf.opened, shelf.disposed]).to.deep.equal([1, 1]);
    expect((await server.get()).status).to.equal(500);
  });

  it('have a tag of their own, and are not kept, if the data changed while they were opened', async () => {
    const shelf = new Shelf();
    await using server = await ShelfServer.start([shelf]);
    shelf.onOpen = () => (shelf.content = [...shelf.content, '+']);
    const changing = await server.get();
    shelf.onOpen = () => undefined;
    const settled = await server.get();
    expect([changing.text, settled.text]).to.deep.equal(['one', 'one+']);
    expect(changing.etag).to.not.equal(settled.etag);
    expect(shelf.opened).to.equal(2);
  });

  it('are forgotten when others need their memory, the least recently requested first', async () => {
    const shelves = ['a', 'b', 'c'].map((key) => new Shelf(key));
    await using server = await ShelfServer.start(shelves, { maxCachedBytes: 3_000 });
    for (const shelf of shelves) {
      shelf.content = ['x'.repeat(800)];
      await server.get(shelf.key);
    }
    for (const { key } of shelves.toReversed()) await server.get(key);
    expect(shelves.map(({ opened }) => opened)).to.deep.equal([2, 1, 1]);
  });

  it('are read by clients in turn, and not after all requests of one client', async () => {
    const [first, ...others] = ['a', 'b', 'c', 'd'].map((key) => new Shelf(key));
    if (first === undefined) throw new Error('no shelf');
    const open = first.hold();
    const order: string[] = [];
    for (const shelf of others) shelf.onOpen = () => order.push(shelf.key);
    await using server = await ShelfServer.start([first, ...others]);
    const asked = [server.get('a?client=1')];
    await until(() => first.opened === 1);
    for (const target of ['b?client=1', 'c?client=1', 'd?client=2']) {
      asked.push(server.get(target));
      await server.get('nothing');
    }
    open();
    await Promise.all(asked);
    expect(order).to.deep.equal(['b', 'd', 'c']);
  });

  it('are refused with 503 when their turn does not come', async () => {
    const [slow, waiting] = [new Shelf('slow'), new Shelf('waiting')];
    const open = slow.hold();
    await using server = await ShelfServer.start([slow, waiting], { answerWaitMs: 50 });
    const first = server.get('slow');
    await until(() => slow.opened === 1);
    const { status, text } = await server.get('waiting');
    expect([status, text]).to.deep.equal([
      503,
      'other answers that read much are under way; try again later',
    ]);
    open();
    // One that is being read is awaited, however long it takes.
    expect((await first).status).to.equal(200);
    expect(waiting.opened).to.equal(0);
  });
});

describe('An answer without waiting clients', () => {
  it('is given up before its turn', async () => {
    const [first, second] = [new Shelf('first'), new Shelf('second')];
    const open = first.hold();
    await using server = await ShelfServer.start([first, second]);
    const asked = server.get('first');
    await until(() => first.opened === 1);
    const socket = server.ask('second');
    await server.get('nothing');
    socket.destroy();
    await server.get('nothing');
    open();
    await asked;
    await server.get('nothing');
    expect(second.opened).to.equal(0);
  });

  it('is given up in the middle, and its source is released', async () => {
    const shelf = new Shelf();
    shelf.content = Array.from({ length: 100_000 }, String);
    await using server = await ShelfServer.start([shelf], { maxCachedBytes: 1_000_000 });
    const sockets = [server.ask(), server.ask()];
    await until(() => shelf.pieces >= 10);
    sockets[0]?.destroy();
    await server.get('nothing');
    expect(shelf.disposed).to.equal(0);
    sockets[1]?.destroy();
    await until(() => shelf.disposed === 1);
    expect(shelf.pieces).to.be.below(100_000);
    // Nothing of it is kept for the next request.
    shelf.content = ['new'];
    expect((await server.get()).text).to.equal('new');
  });
});

describe('An answer that is too large to be kept', () => {
  const options = { maxCachedBytes: 10_000 };
  const large = (): Shelf => {
    const shelf = new Shelf();
    shelf.content = Array.from({ length: 40 }, (_, n) => `${n}${'x'.repeat(9_998)}`);
    return shelf;
  };

  it('is sent whole, with its length and the tag of its revision, and read again each time', async () => {
    const shelf = large();
    await using server = await ShelfServer.start([shelf], options);
    const [one, other] = [await server.get(), await server.get()];
    expect(one).to.deep.equal(other);
    expect(one).to.include({ text: shelf.content.join(''), length: String(one.text.length) });
    expect(shelf.opened).to.equal(2);
  });

  it('is sent in another way if it has one', async () => {
    const shelf = large();
    await using server = await ShelfServer.start([shelf], options);
    let streamed = 0;
    shelf.stream = () => Promise.resolve(void streamed++);
    expect((await server.get()).text).to.not.contain('x');
    await server.get();
    // It is known to be too large while its revision stays.
    expect([streamed, shelf.opened, shelf.disposed]).to.deep.equal([2, 1, 1]);
  });

  it('is refused with 503 if it has more than fits into memory', async () => {
    const shelf = large();
    await using server = await ShelfServer.start([shelf], { ...options, maxAnswerBytes: 300_000 });
    const { status, text } = await server.get();
    expect(status).to.equal(503);
    expect(text).to.match(/^the answer has more than 300000 bytes/);
    expect([shelf.disposed, shelf.pieces]).to.deep.equal([1, 31]);
  });

  it('is refused with 503 while others take the memory', async () => {
    const [one, other] = [new Shelf('one'), new Shelf('other')];
    one.content = Array.from({ length: 200 }, () => 'x'.repeat(100_000));
    other.content = ['y'.repeat(200_000)];
    await using server = await ShelfServer.start([one, other], { ...options, maxAnswerBytes: 20_000_000 });
    const socket = server.ask('one');
    await until(() => one.disposed === 1);
    while ((await server.get('other')).status !== 503) await new Promise(setImmediate);
    expect((await server.get('other')).text).to.equal(
      'too many large answers are under way; try again later',
    );
    socket.destroy();
    while ((await server.get('other')).status !== 200) await new Promise(setImmediate);
  });
});
