import { setImmediate } from 'node:timers/promises';
import type {
  Association,
  Mapping,
  MappingSnapshot,
  Name,
  PutOutcome,
  Revision,
  TallyId,
} from '@tallybook/domain';
import { MemoryMappingStore } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, showing } from '../sabotage.js';

type Names = Map<TallyId, Name>;

/** A fake whose sabotage can access its contents. */
class Sabotaged extends showing(MemoryMappingStore, 'names') {}

/** A snapshot whose pages `read` makes from the right ones. */
async function spoilPages(
  snapshot: Promise<MappingSnapshot>,
  read: (good: MappingSnapshot, after: TallyId | undefined, limit: number) => Promise<readonly Association[]>,
): Promise<MappingSnapshot> {
  const good = await snapshot;
  return { ...good, page: (after, limit) => read(good, after, limit) };
}

const operations = ['read', 'snapshot', 'get', 'put', 'restore', 'remove', 'change', 'revision'];

export const mappingStoreSabotages = [
  ...faults(Sabotaged, {
    'is not empty at first': {
      fails: ['is empty at first', 'returns the name that was put'],
      onOpen: (_, fake) => async () => {
        fake.names.set('FFFFFFFE' as TallyId, { first: 'Nobody', last: '' });
      },
    },
    'says added for every name': {
      fails: [
        'says whether an association is new or replaced another one',
        'lets the last call win when one tag is put several times at the same time',
      ],
      put: (sound) => (id, name) => sound(id, name).then(() => 'added'),
    },
    'leaves names of backups out': {
      fails: ['puts a name of a backup like any other one'],
      restore: (_, fake) => () => fake.run(() => Promise.resolve('added')),
    },
    'keeps the first name of a tag': {
      fails: ['keeps the last name that was put'],
      put: (sound, fake) => (id, name) => sound(id, fake.names.get(id) ?? name),
    },
    'keeps one tag of a name': {
      fails: ['lets several tags have the same name'],
      put: (sound, fake) => (id, name) => {
        for (const [other, { last }] of fake.names) {
          if (other !== id && last !== '' && last === name.last) fake.names.delete(other);
        }
        return sound(id, name);
      },
    },
    'reads in the order of writing': {
      fails: ['gives all associations in pages, ascending, each once'],
      read: (sound, fake) => () => sound().then(() => new Map(fake.names)),
    },
    'takes tags for one whose ids begin alike': {
      fails: [
        'reads ids ascending, whatever the order of writing',
        'keeps ids apart that begin alike, have leading zeros or the most bytes',
        'loses nothing of associations put at the same time',
      ],
      put: (sound, fake) => (id, name) => {
        const ids = [...fake.names.keys()];
        return sound(ids.find((each) => each.slice(0, 6) === id.slice(0, 6)) ?? id, name);
      },
    },
    'keeps names in Latin-1': {
      fails: ['keeps every character of a name'],
      put:
        (sound) =>
        (id, { first, last }) => {
          const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
          return sound(id, { first: latin1(first), last: latin1(last) });
        },
    },
    'removes everything': {
      fails: ['removes an association and no other one', 'changes many names in its turn among other writes'],
      remove: (sound, fake) => async (id) => {
        const wasThere = await sound(id);
        fake.names.clear();
        return wasThere;
      },
    },
    'says that it removed what was not there': {
      fails: ['says so when there is no association to remove'],
      remove: (sound) => (id) => sound(id).then(() => true),
    },
    'leaves names as they are when many are changed': {
      fails: ['never shows some of many changes without the others'],
      change: (sound) => () => sound(new Map()),
    },
    'says of many names what they have become': {
      fails: ['changes many names at once, and says which ones there were'],
      change: (sound, fake) => async (changes) => {
        await sound(changes);
        return new Map([...fake.names].filter(([id]) => changes.has(id)));
      },
    },
    'removes all names when none is to be changed': {
      fails: ['changes nothing for an empty change'],
      change: (sound, fake) => async (changes) => {
        if (changes.size === 0) fake.names.clear();
        return sound(changes);
      },
    },
    'changes many names one after another': {
      fails: ['never shows some of many changes without the others'],
      change: (sound, fake) => (changes) =>
        fake.run(async () => {
          const before = new Map<TallyId, Name>();
          for (const change of changes) {
            for (const [id, name] of await sound(new Map([change]))) before.set(id, name);
            await setImmediate();
          }
          return before;
        }),
    },
    'changes many names after the writes that were called later': {
      fails: ['lets change finish when close is called meanwhile'],
      change: (sound, fake) => (changes) =>
        fake.run(async () => {
          await setImmediate();
          return sound(changes);
        }),
    },
    'writes to what was read before': class extends Sabotaged {
      static readonly fails = ['does not change what was read when more is written'];
      readonly #read = new Map<TallyId, Name>();

      override async read(): Promise<Mapping> {
        for (const [id, name] of await super.read()) this.#read.set(id, name);
        return this.#read;
      }

      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        this.#read.set(id, name);
        return super.put(id, name);
      }
    },
    'gives everything on one page': {
      fails: ['gives no page that is larger than asked for'],
      snapshot: (sound) => () => spoilPages(sound(), (good, after) => good.page(after, Infinity)),
    },
    'looks for the tag that a page follows': {
      fails: ['goes on after a tag that has no name'],
      snapshot: (sound) => () =>
        spoilPages(sound(), async (good, after, limit) =>
          after === undefined || (await good.page(undefined, Infinity)).some(([id]) => id === after)
            ? good.page(after, limit)
            : [],
        ),
    },
    'gives pages as they are when they are asked for': {
      fails: ['gives the pages of the moment of the snapshot, whatever is written'],
      snapshot: (sound) => () =>
        spoilPages(sound(), async (_, after, limit) => (await sound()).page(after, limit)),
    },
    'cannot write while there is a snapshot': class extends Sabotaged {
      static readonly fails = ['opens again after it was closed'];
      #snapshots = 0;

      override async snapshot(): Promise<MappingSnapshot> {
        const snapshot = await super.snapshot();
        this.#snapshots++;
        return { ...snapshot, [Symbol.asyncDispose]: () => Promise.resolve(void this.#snapshots--) };
      }

      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        return this.#snapshots > 0 ? Promise.reject(new Error('locked')) : super.put(id, name);
      }
    },
    'can be disposed of once only': {
      fails: ['lets a snapshot be disposed of twice, and writes go on meanwhile'],
      snapshot: (sound) => async () => {
        const snapshot = await sound();
        let isDisposed = false;
        return {
          ...snapshot,
          [Symbol.asyncDispose]: () => {
            if (isDisposed) return Promise.reject(new Error('twice'));
            isDisposed = true;
            return Promise.resolve();
          },
        };
      },
    },
    'has the number of names as its revision': {
      fails: [
        'has another revision after each change',
        'gives the same data between two equal revisions, whatever is being written',
      ],
      revision: (sound, fake) => () => sound().then(() => String(fake.names.size)),
    },
    'changes its revision a little later than its data': class extends Sabotaged {
      static readonly fails = [
        'lets put finish when close is called meanwhile',
        'lets restore finish when close is called meanwhile',
      ];
      #told = '';

      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        return this.run(async () => {
          this.#told = await super.revision();
          const outcome = await super.put(id, name);
          for (let turn = 0; turn < 5; turn++) await setImmediate();
          this.#told = '';
          return outcome;
        });
      }

      override revision(): Promise<Revision> {
        return super.revision().then((revision) => (this.#told === '' ? revision : this.#told));
      }
    },
    'has another revision each time it is asked': {
      fails: ['keeps the revision while nothing changes'],
      revision: (sound) => {
        let asked = 0;
        return () => sound().then(() => String(++asked));
      },
    },
    'forgets everything in a restart': class extends MemoryMappingStore {
      static readonly fails = [
        'keeps what it acknowledged across a restart',
        'keeps many changed names across a restart',
      ];
      constructor() {
        super(new Map());
      }
    },
    'brings removed names back in a restart': class extends Sabotaged {
      static readonly fails = ['keeps a removed association removed across a restart'];
      readonly #removed: Names = new Map();

      override remove(id: TallyId): Promise<boolean> {
        const name = this.names.get(id);
        if (name !== undefined) this.#removed.set(id, name);
        return super.remove(id);
      }

      protected override async onClose(): Promise<void> {
        for (const [id, name] of this.#removed) this.names.set(id, name);
      }
    },
  }),
  ...closedStoreSabotages(MemoryMappingStore, operations),
];
