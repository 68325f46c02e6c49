import { expect } from 'chai';
import type { ServiceEvent, StreamState } from '../../src/state/service.js';
import { Lease, LEASE_MS, SharedStream, type Channel, type OpenStream } from '../../src/event-stream.js';
import { BrowserStore } from '../../src/state/kept.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { MemoryStorage } from '../fixtures/memory-storage.js';

/** Interval at which a tab asks for the stream, in milliseconds. */
const RENEW_MS = 2_000;
/** Since when each state of the test is. */
const SINCE_MS = 7;

const tap: ServiceEvent = {
  kind: 'tap',
  tap: { id: '04A2B3C4D5', day: 1, at: 90_000, outcome: 'counted', name: null, person: null, reader: 'door' },
};

/** Tabs of one browser: a storage, a channel, and a service with a stream. */
class Browser {
  readonly storage = new MemoryStorage();
  readonly opened: { readonly cursor: string | undefined; isOpen: boolean; reconnected: number }[] = [];
  nowMs = 1_000_000;
  readonly #tabs: Tab[] = [];
  #tell: (event: ServiceEvent, cursor: string | undefined) => void = () => undefined;
  #changeState: (state: StreamState) => void = () => undefined;

  open(hasChannel = true): Tab {
    const heard: ((message: unknown) => void)[] = [];
    const channel: Channel = {
      post: (message) => {
        const copy: unknown = structuredClone(message);
        for (const other of this.#tabs) if (other !== tab) other.receive(copy);
      },
      listen: (take) => (heard[0] = take),
    };
    const lease = new Lease(new BrowserStore(this.storage, ''), `tab ${this.#tabs.length}`, () => this.nowMs);
    const tab = new Tab(
      (listener) =>
        new SharedStream(
          { open: this.#openStream, lease, channel: hasChannel ? channel : undefined },
          listener,
        ),
      heard,
    );
    this.#tabs.push(tab);
    tab.stream.start();
    return tab;
  }

  tell(event: ServiceEvent, cursor?: string): void {
    this.#tell(event, cursor);
  }

  change(state: StreamState): void {
    this.#changeState(state);
  }

  get openCount(): number {
    return this.opened.filter(({ isOpen }) => isOpen).length;
  }

  close(): void {
    for (const { stream } of this.#tabs) stream.stop();
  }

  readonly #openStream: OpenStream = (listener, cursor) => {
    const stream = { cursor, isOpen: true, reconnected: 0 };
    this.opened.push(stream);
    this.#tell = (event, at) => listener.onEvent(event, at);
    this.#changeState = (state) => listener.onState(state, SINCE_MS);
    return {
      reconnect: () => stream.reconnected++,
      close: () => (stream.isOpen = false),
    };
  };
}

class Tab {
  readonly events: ServiceEvent[] = [];
  readonly states: StreamState[] = [];
  readonly stream: SharedStream;
  readonly #heard: readonly ((message: unknown) => void)[];

  constructor(
    make: (listener: ConstructorParameters<typeof SharedStream>[1]) => SharedStream,
    heard: readonly ((message: unknown) => void)[],
  ) {
    this.#heard = heard;
    this.stream = make({
      onEvent: (event) => this.events.push(event),
      onState: (state, sinceMs) => {
        expect(sinceMs).to.be.at.least(SINCE_MS);
        this.states.push(state);
      },
    });
  }

  readonly receive = (message: unknown): void => {
    for (const take of this.#heard) take(message);
  };
}

describe('SharedStream', () => {
  let browser: Browser;

  beforeEach(() => {
    browser = new Browser();
  });

  afterEach(() => browser.close());

  it('opens one stream for all tabs, and tells all of them', () => {
    const tabs = [browser.open(), browser.open(), browser.open()];
    expect(browser.openCount).to.equal(1);
    browser.change('open');
    browser.tell(tap, 'a-1');
    for (const { events, states } of tabs) {
      expect(events).to.deep.equal([tap]);
      expect(states.at(-1)).to.equal('open');
    }
  });

  it('tells a tab that is opened later the state of the stream', () => {
    browser.open();
    browser.change('open');
    expect(browser.open().states).to.deep.equal(['open']);
  });

  it('goes on in another tab after the last event, when the one with the stream is closed', () => {
    const first = browser.open();
    const second = browser.open();
    browser.tell(tap, 'a-1');
    first.stream.stop();
    second.stream.renew();
    expect(browser.openCount).to.equal(1);
    expect(browser.opened.at(-1)?.cursor).to.equal('a-1');
    browser.tell(tap, 'a-2');
    expect(second.events).to.have.lengthOf(2);
    expect(first.events).to.have.lengthOf(1);
  });

  it('goes on in another tab when the one with the stream has died', () => {
    browser.open();
    const second = browser.open();
    browser.nowMs += LEASE_MS - 1;
    second.stream.renew();
    expect(second.stream.isLeading).to.equal(false);
    browser.nowMs += 1;
    second.stream.renew();
    expect(second.stream.isLeading).to.equal(true);
  });

  it('ends the stream of a tab that slept while another one took over', () => {
    const sleeper = browser.open();
    const second = browser.open();
    browser.nowMs += LEASE_MS;
    second.stream.renew();
    sleeper.stream.renew();
    expect(sleeper.stream.isLeading).to.equal(false);
    expect(browser.openCount).to.equal(1);
  });

  it('has the tab with the stream connect anew when another one asks for it', () => {
    browser.open();
    browser.open().stream.reconnect();
    expect(browser.opened).to.deep.equal([{ cursor: undefined, isOpen: true, reconnected: 1 }]);
  });

  it('is one for each tab where tabs cannot reach each other', () => {
    browser.open(false);
    browser.open(false);
    expect(browser.openCount).to.equal(2);
  });

  it('tells nothing after it was stopped, and everything after it was started again', () => {
    browser.open();
    const second = browser.open();
    second.stream.stop();
    browser.tell(tap, 'a-1');
    expect(second.events).to.deep.equal([]);
    second.stream.start();
    browser.tell(tap, 'a-2');
    expect(second.events).to.deep.equal([tap]);
  });

  it('is said to be opened before it is open', () => {
    browser.open();
    expect(browser.open().states).to.deep.equal(['connecting']);
  });

  it('is told to each tab once, and says nothing of what other tabs ask', () => {
    const [first, second] = [browser.open(), browser.open()];
    browser.change('open');
    browser.open();
    browser.tell(tap, 'a-1');
    expect([first.events, second.events]).to.deep.equal([[tap], [tap]]);
    expect(new Set(second.states)).to.deep.equal(new Set(['connecting', 'open']));
  });

  it('is asked for by a timer of each tab too, as long as the tab is there', () => {
    using timers = new RecordedTimers([RENEW_MS]);
    browser.open();
    const second = browser.open();
    second.stream.start();
    expect(timers.pending).to.deep.equal([RENEW_MS, RENEW_MS]);
    browser.nowMs += LEASE_MS;
    timers.expire(RENEW_MS);
    expect(second.stream.isLeading).to.equal(true);
    browser.close();
    expect(timers.pending).to.deep.equal([]);
  });

  it('is started until it is stopped, and is not begun by a tab that is stopped', () => {
    const { stream } = browser.open();
    expect(stream.isStarted).to.equal(true);
    stream.stop();
    expect(stream.isStarted).to.equal(false);
    stream.reconnect();
    expect(browser.openCount).to.equal(0);
  });

  it('connects anew in the tab that has it when that tab asks', () => {
    browser.open().stream.reconnect();
    expect(browser.opened).to.deep.equal([{ cursor: undefined, isOpen: true, reconnected: 1 }]);
  });

  it('is not connected anew, nor told twice, in a tab that hears of the stream of another one', () => {
    const { stream, events, states, receive } = browser.open();
    browser.change('open');
    for (const message of [
      { kind: 'event', event: tap, cursor: 'a-1' },
      { kind: 'state', state: 'waiting', sinceMs: SINCE_MS },
    ])
      receive(message);
    expect(stream.isLeading).to.equal(true);
    expect([events, states]).to.deep.equal([[], ['open']]);
    expect(browser.opened).to.deep.equal([{ cursor: undefined, isOpen: true, reconnected: 0 }]);
  });
});

describe('Lease', () => {
  it('is held by everybody where nothing can be stored', () => {
    const storage = new MemoryStorage();
    storage.isFull = true;
    for (const each of [storage, undefined]) {
      expect(new Lease(new BrowserStore(each, ''), 'one').hold()).to.equal(true);
      expect(new Lease(new BrowserStore(each, ''), 'two').hold()).to.equal(true);
    }
  });

  for (const [what, text] of Object.entries({
    'is no JSON': '{',
    'is something else': '[]',
    'has no owner': JSON.stringify({ until: 1_004_000 }),
    'has an owner who is none': JSON.stringify({ owner: 7, until: 1_004_000 }),
    'has an end that is a text': JSON.stringify({ owner: 'one', until: '1004000' }),
    'reaches further than any claim': JSON.stringify({ owner: 'one', until: 1e15 }),
  })) {
    it(`is taken where what is stored ${what}`, () => {
      const storage = new MemoryStorage();
      storage.setItem('stream', text);
      expect(new Lease(new BrowserStore(storage, ''), 'two', () => 1_000_000).hold()).to.equal(true);
    });
  }

  it('is renewed by the tab that holds it', () => {
    const storage = new MemoryStorage();
    let nowMs = 1_000_000;
    const [one, two] = ['one', 'two'].map(
      (owner) => new Lease(new BrowserStore(storage, ''), owner, () => nowMs),
    );
    expect([one?.hold(), two?.hold()]).to.deep.equal([true, false]);
    nowMs += LEASE_MS - 1;
    expect(one?.hold()).to.equal(true);
    nowMs += LEASE_MS - 1;
    expect([two?.hold(), one?.hold()]).to.deep.equal([false, true]);
  });

  it('is not released by a tab that does not hold it', () => {
    const storage = new MemoryStorage();
    new Lease(new BrowserStore(storage, ''), 'one').hold();
    new Lease(new BrowserStore(storage, ''), 'two').release();
    expect(new Lease(new BrowserStore(storage, ''), 'two').hold()).to.equal(false);
  });
});
