import { ManagedResource, openAll, type Lifecycle } from '@tallybook/domain';
import type { LifecycleStatus } from '../src/lifecycle.js';
import { lifecycleContract } from '@tallybook/testing';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { runs } from './fixtures/arbitraries.js';
import { Deferred } from './fixtures/deferred.js';
import { rejectionOf } from './fixtures/throws.js';
import { failureOf } from '../../testing/test/fixtures/failure-of.js';

/** Records the calls of its methods, and fails when the test says so. */
class Lamp extends ManagedResource {
  readonly label: string;
  readonly log: string[];
  opening: () => Promise<void> = () => Promise.resolve();
  closing: () => Promise<void> = () => Promise.resolve();

  constructor(label = 'lamp', log: string[] = []) {
    super();
    this.label = label;
    this.log = log;
  }

  glow<T>(work: () => Promise<T>): Promise<T> {
    return this.run(work);
  }

  protected override onOpen(): Promise<void> {
    this.log.push(`open ${this.label}`);
    return this.opening();
  }

  protected override onClose(): Promise<void> {
    this.log.push(`close ${this.label}`);
    return this.closing();
  }
}

lifecycleContract(
  { describe, it },
  {
    name: 'ManagedResource',
    make: () => {
      const resource = new Lamp();
      return { resource, cleanup: () => resource.close() };
    },
    operations: { glow: (lamp) => lamp.glow(() => Promise.resolve()) },
  },
);

describe('ManagedResource', () => {
  it('acquires and releases once, however often it is opened and closed', async () => {
    const lamp = new Lamp();
    await Promise.all([lamp.open(), lamp.open()]);
    await lamp.open();
    await Promise.all([lamp.close(), lamp.close()]);
    await lamp.close();
    expect(lamp.log).to.deep.equal(['open lamp', 'close lamp']);
  });

  it('shows its state', async () => {
    const lamp = new Lamp();
    const seen: LifecycleStatus[] = [lamp.status];
    lamp.opening = async () => void seen.push(lamp.status);
    lamp.closing = async () => void seen.push(lamp.status);
    await lamp.open();
    seen.push(lamp.status);
    await lamp.close();
    seen.push(lamp.status);
    expect(seen).to.deep.equal(['closed', 'opening', 'open', 'closing', 'closed']);
  });

  it('ends in the last requested state, and alternates, for calls in any order', async () => {
    const calls = fc.array(fc.constantFrom('open' as const, 'close' as const), {
      minLength: 1,
      maxLength: 12,
    });
    const property = fc.asyncProperty(calls, async (names) => {
      const lamp = new Lamp();
      await Promise.all(names.map((name) => lamp[name]()));
      expect(lamp.status).to.equal(names.at(-1) === 'open' ? 'open' : 'closed');
      const changes = names.filter((name, index) => name !== (names[index - 1] ?? 'close'));
      expect(lamp.log).to.deep.equal(changes.map((name) => `${name} lamp`));
    });
    await fc.assert(property, runs);
  });

  it('is closed after it failed to open, and opens when it is called again', async () => {
    const lamp = new Lamp();
    lamp.opening = () => Promise.reject(new Error('no bulb'));
    expect(await failureOf(lamp.open())).to.have.property('message', 'no bulb');
    expect(lamp.status).to.equal('closed');
    await lamp.close();
    lamp.opening = () => Promise.resolve();
    await lamp.open();
    expect(lamp.status).to.equal('open');
    expect(lamp.log).to.deep.equal(['open lamp', 'open lamp']);
  });

  it('handles calls after a failed open in order', async () => {
    const lamp = new Lamp();
    let attempts = 0;
    lamp.opening = () => (++attempts === 1 ? Promise.reject(new Error('no bulb')) : Promise.resolve());
    const results = await Promise.allSettled([lamp.open(), lamp.close(), lamp.open()]);
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled']);
    expect(lamp.status).to.equal('open');
  });

  it('is closed after it failed to close, and opens again', async () => {
    const lamp = new Lamp();
    await lamp.open();
    lamp.closing = () => Promise.reject(new Error('stuck'));
    expect(await failureOf(lamp.close())).to.have.property('message', 'stuck');
    expect(lamp.status).to.equal('closed');
    await lamp.close();
    await lamp.open();
    expect(lamp.log).to.deep.equal(['open lamp', 'close lamp', 'open lamp']);
  });

  it('releases when every operation in flight is done, failed ones too, and takes no new one', async () => {
    const lamp = new Lamp();
    await lamp.open();
    const [first, second] = [new Deferred<string>(), new Deferred<string>()];
    const failing = failureOf(lamp.glow(() => first.promise));
    const glowing = lamp.glow(() => second.promise);
    const closing = lamp.close();
    first.reject(new Error('flicker'));
    expect(await failing).to.have.property('message', 'flicker');
    expect(lamp.status).to.equal('closing');
    await rejectionOf(
      'NOT_OPEN',
      lamp.glow(() => Promise.resolve()),
    );
    expect(lamp.log).to.deep.equal(['open lamp']);
    second.resolve('bright');
    expect(await glowing).to.equal('bright');
    await closing;
    expect(lamp.log).to.deep.equal(['open lamp', 'close lamp']);
  });

  it('forgets operations that are done, so that their memory is free', async () => {
    const lamp = new Lamp();
    await lamp.open();
    const done = Promise.resolve('bright');
    await lamp.glow(() => done);
    let isWaitedFor = false;
    Reflect.defineProperty(done, 'then', { get: () => void (isWaitedFor = true) });
    await lamp.close();
    expect(isWaitedFor).to.equal(false);
  });

  it('starts an operation before the call returns', async () => {
    const lamp = new Lamp();
    await lamp.open();
    let isStarted = false;
    const running = lamp.glow(async () => void (isStarted = true));
    expect(isStarted).to.equal(true);
    await running;
  });

  it('rejects when an operation throws instead of rejecting', async () => {
    const lamp = new Lamp();
    await lamp.open();
    const glowing = lamp.glow(() => {
      throw new Error('fuse');
    });
    expect(await failureOf(glowing)).to.have.property('message', 'fuse');
    await lamp.close();
  });

  it('names itself and its state when it is not open', async () => {
    const error = await rejectionOf(
      'NOT_OPEN',
      new Lamp().glow(() => Promise.resolve()),
    );
    expect(error.message).to.equal('Lamp is closed; open it first');
  });
});

describe('openAll', () => {
  const fail = (reason: string) => (): Promise<void> => Promise.reject(new Error(reason));
  const lampsWith = (log: string[]): [Lamp, Lamp, Lamp] => [
    new Lamp('a', log),
    new Lamp('b', log),
    new Lamp('c', log),
  ];

  it('opens one after another and closes in reverse order', async () => {
    const log: string[] = [];
    const resources = await openAll(lampsWith(log));
    await resources.close();
    expect(log).to.deep.equal(['open a', 'open b', 'open c', 'close c', 'close b', 'close a']);
  });

  it('opens the next one when the one before is open', async () => {
    const [a, b] = lampsWith([]);
    const statuses: LifecycleStatus[] = [];
    b.opening = async () => void statuses.push(a.status);
    await openAll([a, b]);
    expect(statuses).to.deep.equal(['open']);
  });

  it('closes what is open when one fails, and throws what that one threw', async () => {
    const log: string[] = [];
    const lamps = lampsWith(log);
    lamps[2].opening = fail('no bulb');
    expect(await failureOf(openAll(lamps))).to.have.property('message', 'no bulb');
    expect(log).to.deep.equal(['open a', 'open b', 'open c', 'close b', 'close a']);
    expect(lamps.map(({ status }) => status)).to.deep.equal(['closed', 'closed', 'closed']);
  });

  it('throws all failures when closing fails after one failed to open', async () => {
    const log: string[] = [];
    const lamps = lampsWith(log);
    lamps[2].opening = fail('no bulb');
    lamps[1].closing = fail('stuck b');
    lamps[0].closing = fail('stuck a');
    const error = await failureOf(openAll(lamps));
    expect(messagesIn(error)).to.deep.equal(['no bulb', 'stuck b', 'stuck a']);
    expect(error).to.have.nested.property('cause.message', 'no bulb');
    expect(log).to.deep.equal(['open a', 'open b', 'open c', 'close b', 'close a']);
  });

  it('closes all of them even if one fails, and throws what that one threw', async () => {
    const log: string[] = [];
    const lamps = lampsWith(log);
    lamps[1].closing = fail('stuck');
    const resources = await openAll(lamps);
    expect(await failureOf(resources.close())).to.have.property('message', 'stuck');
    expect(log.slice(3)).to.deep.equal(['close c', 'close b', 'close a']);
  });

  it('throws all failures when several fail to close', async () => {
    const lamps = lampsWith([]);
    lamps[2].closing = fail('stuck c');
    lamps[0].closing = fail('stuck a');
    const resources = await openAll(lamps);
    expect(messagesIn(await failureOf(resources.close()))).to.deep.equal(['stuck c', 'stuck a']);
  });

  it('closes at the end of an `await using` block', async () => {
    const log: string[] = [];
    {
      await using resources = await openAll(lampsWith(log));
      expect(resources).to.respondTo('close');
    }
    expect(log.slice(3)).to.deep.equal(['close c', 'close b', 'close a']);
  });

  it('opens nothing when there is nothing', async () => {
    const nothing: Lifecycle[] = [];
    await (await openAll(nothing)).close();
  });

  function messagesIn(error: unknown): string[] {
    expect(error).to.be.instanceOf(AggregateError);
    return (error as AggregateError).errors.map(({ message }: Error) => message);
  }
});
