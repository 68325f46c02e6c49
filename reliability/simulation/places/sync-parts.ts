import {
  ManagedResource, STAMP_MAX_AHEAD_MS, TallybookError, nextStamp,
  type AttendanceService, type Calendar, type Lifecycle, type SyncTransport, type Timekeeper, type SyncItem, type DownItem, type Cursor,
  type StampedName, type NameItem, type SyncSnapshotPart, type Change, type UpItem, type RefusedItem, type SyncBatch, type Subscription, DAY_MAX,
  type Day, isTallybookError, type SyncPosition,
} from '@tallybook/domain';
import type { Random } from '../../random.js';
import type { Upstream } from '../virtual/network.js';
import type { RecordServices } from './record-services.js';
import type { Stores } from './stores.js';

export const parseSyncBatch = (x: unknown): SyncBatch => x as SyncBatch;
export const parseSyncAnswer = (x: unknown) => x as Awaited<ReturnType<Upstream['push']>>;
export const parseSyncChanges = (x: unknown) => x as Awaited<ReturnType<Upstream['changes']>>;
export const parseSnapshotPart = (x: unknown) => x as SyncSnapshotPart;

interface StationParts {
  readonly stores: Stores;
  readonly timekeeper: Timekeeper;
  readonly attendance: AttendanceService;
  readonly services: RecordServices;
  readonly transport: SyncTransport;
  readonly random: Random;
  readonly note: (what: string) => void;
}
class RefStation extends ManagedResource {
  #look: Subscription | undefined; #attempts = 0; #busy = false;
  constructor(readonly p: StationParts) { super(); }
  protected override async onOpen(): Promise<void> { this.#later(10); }
  protected override async onClose(): Promise<void> {}
  #later(ms: number) { this.#look?.unsubscribe(); this.#look = this.p.timekeeper.clock.schedule(ms, () => { if (!this.#busy) void this.#go(); }); }
  async #go() {
    this.#busy = true;
    let wait = 5_000;
    try { await this.#push(); await this.#pull(); this.#attempts = 0; }
    catch (e) { this.p.note(`sync: ${String(e)}`); wait = Math.min(300_000, 1000 * 2 ** this.#attempts++); }
    this.#busy = false; this.#later(wait + this.p.random.between(0, 1000));
  }
  async #item(change: Change): Promise<UpItem[]> {
    const { stores } = this.p;
    switch (change.kind) {
      case 'scan': return [{ kind: 'scan', day: change.day, id: change.id, at: change.at, ...(change.reader && { reader: change.reader }) }];
      case 'name': { const [n] = await stores.stampedNames.get([change.id]); return n ? [nameItem(n)] : []; }
      case 'correction': { const c = await stores.corrections.find(change.number); if (!c) return []; const { number, ...correction } = c; return [{ kind: 'correction', correction }]; }
      case 'day': { const d = change.action === 'merged' ? await stores.days.load(change.day) : undefined; return d ? [{ kind: 'entries', day: change.day, entries: d.entries }] : []; }
      case 'erased': return (await stores.erasures.list()).filter((e) => e.digest === change.digest).map(({ state, ...erasure }) => ({ kind: 'erasure', erasure }));
      default: return [];
    }
  }
  async #whole(): Promise<UpItem[]> {
    const { stores } = this.p; const items: UpItem[] = [];
    for (const { state, ...erasure } of await stores.erasures.list()) items.push({ kind: 'erasure', erasure });
    for (const n of await stores.stampedNames.page(undefined, 1000)) items.push(nameItem(n));
    for (const { number, ...correction } of await stores.corrections.list(0 as Day, DAY_MAX)) items.push({ kind: 'correction', correction });
    for (const day of await stores.days.list(0 as Day, DAY_MAX)) {
      const d = await stores.days.load(day);
      for (const { id } of d?.entries ?? []) for (const at of await stores.days.scans(day, id)) items.push({ kind: 'scan', day, id, at });
    }
    return items;
  }
  async #push(isWhole = false) {
    const { stores, transport } = this.p; const { journal } = stores;
    const run = await journal.origin();
    let status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1' };
    const whole = async () => {
      const at = await journal.latest();
      const items = (await this.#whole()).map((i, n) => ({ ...i, cursor: n + 1 }) as SyncItem);
      const name = `${run.slice(0, 8)}s${this.p.random.between(0, 1e9)}`;
      await transport.push({ run: name, after: 0, through: items.length, items, status });
      await transport.push({ run, after: at, through: at, isRestart: true, items: [], status });
      await journal.advance('upstream', at);
    };
    let pos = await journal.position('upstream');
    if (pos === undefined || isWhole) { await whole(); pos = await journal.position('upstream') ?? 0; }
    for (let first = true; ; first = false) {
      const page = await journal.read(pos, 20);
      if (!page.isKnown) { await whole(); pos = await journal.position('upstream') ?? 0; continue; }
      if (page.entries.length === 0 && !first) return;
      const items: SyncItem[] = [];
      for (const { cursor, change } of page.entries) for (const i of await this.#item(change)) items.push({ ...i, cursor });
      const through = page.entries.at(-1)?.cursor ?? pos;
      try {
        const { acknowledged, superseded, erasures } = await transport.push({ run, after: pos, through, items, status });
        if (acknowledged < through) throw new Error('odd');
        if (erasures.length) await stores.erasures.add(erasures, this.p.timekeeper.now());
        await stores.stampedNames.replace(superseded.map(stampedOf)); await journal.advance('upstream', through); pos = through;
      } catch (e) {
        if (!isTallybookError(e, 'SYNC_GAP')) throw e;
        pos = Number(e.details['expected']); await journal.advance('upstream', pos);
      }
    }
  }
  #place: SyncPosition | undefined;
  async #pull() {
    const { stores, transport } = this.p;
    let items: DownItem[] = []; let next: SyncPosition; 
    try {
      if (!this.#place) throw new TallybookError('SYNC_TOO_OLD', '');
      const c = await transport.changes(this.#place, 20_000); items = [...c.items]; next = { origin: c.origin, cursor: c.cursor };
    } catch (e) {
      if (!isTallybookError(e, 'SYNC_TOO_OLD')) throw e;
      let ended = false; let head: SyncPosition | undefined;
      for await (const part of transport.snapshot()) {
        if (part.kind === 'head') head = { origin: part.origin, cursor: part.cursor };
        else if (part.kind === 'end') ended = part.items === items.length; else items.push(part);
      }
      if (!ended || !head) throw new Error('cut');
      if ((await stores.journal.position('centre ' + head.origin)) === undefined) { await this.#push(true); await stores.journal.advance('centre ' + head.origin, 1); items = []; for await (const part of transport.snapshot()) { if (part.kind === 'head') head = { origin: part.origin, cursor: part.cursor }; else if (part.kind !== 'end') items.push(part); } }
      next = head;
      await this.#push();
    }
    const page = await stores.journal.read((await stores.journal.position('upstream')) ?? 0, 1000);
    if (!page.isKnown || page.entries.some(({ change }) => change.kind === 'name' || change.kind === 'correction')) return;
    for (const i of items) if (i.kind === 'erasure') await stores.erasures.add([i.erasure], this.p.timekeeper.now());
    await stores.stampedNames.replace(items.filter((i): i is NameItem => i.kind === 'name').map(stampedOf));
    for (const i of items) if (i.kind === 'correction') await stores.corrections.correct([i.correction]);
    this.#place = next;
  }
}
function nameItem({ id, name, stamp }: StampedName): NameItem { return { kind: 'name', id, name: name ?? null, stamp: stamp ?? null }; }
function stampedOf({ id, name, stamp }: NameItem): StampedName { return { id, name: name ?? undefined, stamp: stamp ?? undefined }; }
export function newStationSync(p: StationParts): Lifecycle { return new RefStation(p); }

export function newCentreSync({ stores, timekeeper }: { readonly stores: Stores; readonly timekeeper: Timekeeper; readonly calendar: Calendar }): Upstream {
  const { stampedNames, days, corrections, erasures, stations, journal } = stores;
  const down = async (change: Change): Promise<DownItem[]> => {
    if (change.kind === 'name') { const [n] = await stampedNames.get([change.id]); return n ? [nameItem(n)] : []; }
    if (change.kind === 'correction') { const c = await corrections.find(change.number); if (!c) return []; const { number, ...correction } = c; return [{ kind: 'correction', correction }]; }
    if (change.kind === 'erased') return (await erasures.list()).filter((e) => e.digest === change.digest).map(({ state, ...erasure }) => ({ kind: 'erasure', erasure }));
    return [];
  };
  return {
    async push(station, batch) {
      const { run, after, through, items, isRestart, status } = batch;
      const progress = await stations.progress(station, run);
      if (!isRestart && after > progress) throw new TallybookError('SYNC_GAP', 'gap', { details: { expected: progress } });
      const refused: RefusedItem[] = []; const hit = new Map<string, import('@tallybook/domain').Erasure>(); const superseded: StampedName[] = [];
      const refuse = async (id: import('@tallybook/domain').TallyId, cursor: Cursor) => {
        refused.push({ cursor, code: 'TAG_ERASED', message: 'erased' });
        for (const { state, ...e } of await erasures.list()) hit.set(e.digest, e);
      };
      for (const item of items) {
        if (item.kind === 'erasure') await erasures.add([item.erasure], timekeeper.now());
        else if (item.kind === 'scan') {
          if (item.at <= (erasures.refusedUntil(item.id) ?? -1)) await refuse(item.id, item.cursor);
          else await days.record(item.day, item.id, item.at, { reader: item.reader ?? station });
        } else if (item.kind === 'correction') {
          if (item.correction.at <= (erasures.refusedUntil(item.correction.id) ?? -1)) await refuse(item.correction.id, item.cursor);
          else await corrections.correct([item.correction]);
        } else if (item.kind === 'entries') {
          for (const entry of item.entries) {
            if (entry.first <= (erasures.refusedUntil(entry.id) ?? -1)) await refuse(entry.id, item.cursor);
            else await days.merge(item.day, [entry]);
          }
        } else {
          const now = timekeeper.now() * 1000; const { id } = item; let { stamp } = item;
          const odd = stamp === null || stamp.ms > now + STAMP_MAX_AHEAD_MS;
          if (odd && item.cursor <= progress) continue;
          const until = erasures.refusedUntil(id);
          if (until !== undefined && (odd || stamp!.ms <= until * 1000 + 999)) { await refuse(id, item.cursor); const [h] = await stampedNames.get([id]); superseded.push(h ?? { id, name: undefined, stamp: { ms: now, counter: 0, node: '' } }); continue; }
          if (odd) stamp = { ms: now, counter: 0, node: await journal.origin() };
          superseded.push(...(await stampedNames.merge([{ ...stampedOf(item), stamp: stamp! }])));
        }
      }
      await stations.acknowledge(station, run, through, { heardAt: timekeeper.now(), status, refused });
      return { run, acknowledged: Math.max(progress, through), refused, superseded: superseded.map(nameItem), erasures: [...hit.values()], now: timekeeper.now() };
    },
    async changes(after, waitMs) {
      const origin = await journal.origin();
      if (!after) return { origin, cursor: await journal.latest(), items: [], now: timekeeper.now() };
      if (after.origin !== origin) throw new TallybookError('SYNC_TOO_OLD', 'other');
      let page = await journal.read(after.cursor, 100);
      if (page.isKnown && page.entries.length === 0 && waitMs > 0) {
        await new Promise<void>((r) => { const s = journal.appended.subscribe(() => { s.unsubscribe(); r(); }); timekeeper.clock.schedule(waitMs, r); });
        page = await journal.read(after.cursor, 100);
      }
      if (!page.isKnown) throw new TallybookError('SYNC_TOO_OLD', 'old');
      const items: DownItem[] = [];
      for (const { change } of page.entries) items.push(...(await down(change)));
      return { origin, cursor: page.entries.at(-1)?.cursor ?? after.cursor, items, now: timekeeper.now() };
    },
    async *snapshot() {
      yield { kind: 'head', origin: await journal.origin(), cursor: await journal.latest(), now: timekeeper.now() };
      let items = 0;
      for (const { state, ...erasure } of await erasures.list()) { items++; yield { kind: 'erasure', erasure }; }
      for (const n of await stampedNames.page(undefined, 1000)) { items++; yield nameItem(n); }
      for (const { number, ...correction } of await corrections.list(0 as Day, DAY_MAX)) { items++; yield { kind: 'correction', correction }; }
      yield { kind: 'end', items };
    },
  };
}
