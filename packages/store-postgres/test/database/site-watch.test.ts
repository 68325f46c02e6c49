import assert from 'node:assert/strict';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';
import type { SiteRow } from '../../src/database/site-statements.js';
import { SiteWatch } from '../../src/database/site-watch.js';

/** The longest delay until a server notices a write of another one. */
const LOOK_MS = 100;

const first = { origin: 'a', seq: 1, revision: 1 } as SiteRow;

/** A watch over a row that a test changes, and its reports. */
class Watched implements Disposable {
  row: SiteRow = first;
  isAway = false;
  looks = 0;
  readonly told: string[] = [];
  readonly watch: SiteWatch = new SiteWatch(() => {
    this.looks++;
    return this.isAway ? Promise.reject(new Error('away')) : Promise.resolve(this.row);
  });

  listen(): { unsubscribe: () => void } {
    const subscriptions = [
      this.watch.appended.subscribe(() => this.told.push('appended')),
      this.watch.changed.subscribe(({ revision }) => this.told.push(`changed to ${revision}`)),
    ];
    return { unsubscribe: () => subscriptions.forEach((each) => each.unsubscribe()) };
  }

  [Symbol.dispose](): void {
    this.watch.stop();
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

describe('The check for writes of other servers', () => {
  const timers = useEach(() => new RecordedTimers());
  const watched = useEach(() => new Watched());

  it('runs every 100 ms while there are subscribers, one after another', async () => {
    watched.watch.start(first);
    assert.deepEqual(timers.pending, []);
    const listening = watched.listen();
    for (let look = 1; look <= 3; look++) {
      assert.deepEqual(timers.pending, [LOOK_MS]);
      timers.expire(LOOK_MS);
      await settled();
      assert.equal(watched.looks, look);
    }
    listening.unsubscribe();
    timers.expire(LOOK_MS);
    await settled();
    assert.deepEqual(timers.pending, []);
  });

  it('runs while one of several subscribers is left, even if one unsubscribes twice', async () => {
    watched.watch.start(first);
    const [one] = [watched.listen(), watched.listen()];
    one.unsubscribe();
    one.unsubscribe();
    timers.expire(LOOK_MS);
    await settled();
    assert.deepEqual(timers.pending, [LOOK_MS]);
  });

  it('stops when the site is closed, and runs again when it is open', async () => {
    watched.listen();
    assert.deepEqual(timers.pending, []);
    watched.watch.start(first);
    watched.watch.stop();
    assert.deepEqual(timers.pending, []);
    watched.watch.start(first);
    assert.deepEqual(timers.pending, [LOOK_MS]);
    timers.expire(LOOK_MS);
    // It closes during a read of the row, which is not reported then.
    watched.row = { ...first, revision: 2 };
    watched.watch.stop();
    await settled();
    assert.deepEqual(watched.told, []);
    assert.deepEqual(timers.pending, []);
  });

  it('continues after an outage of the database', async () => {
    watched.listen();
    watched.watch.start(first);
    watched.isAway = true;
    timers.expire(LOOK_MS);
    await settled();
    watched.isAway = false;
    watched.row = { ...first, revision: 2 };
    timers.expire(LOOK_MS);
    await settled();
    assert.deepEqual(watched.told, ['changed to 2']);
  });

  it('reports an older row only if it was read after the latest one: the database has lost commits', async () => {
    watched.listen();
    watched.watch.start({ ...first, seq: 9, revision: 9 });
    watched.row = { ...first, seq: 4, revision: 4 };
    timers.expire(LOOK_MS);
    // Written here while the older row was read.
    watched.watch.see({ ...first, seq: 9, revision: 10 });
    await settled();
    assert.deepEqual(watched.told, ['changed to 10']);
    timers.expire(LOOK_MS);
    await settled();
    assert.deepEqual(watched.told, ['changed to 10', 'appended', 'changed to 4']);
  });

  it('reports a new row once, and no older row', () => {
    watched.listen();
    watched.watch.see(first);
    watched.watch.see({ ...first, seq: 2, revision: 2 });
    watched.watch.see({ ...first, seq: 2, revision: 2 });
    watched.watch.see(first);
    watched.watch.see({ ...first, seq: 2, revision: 3 });
    assert.deepEqual(watched.told, ['appended', 'changed to 1', 'appended', 'changed to 2', 'changed to 3']);
  });
});
