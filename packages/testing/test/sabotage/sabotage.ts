import type { ManagedResource } from '@tallybook/domain';

/** One way to break a promise, and the titles of the cases that are there to notice it. */
export interface Sabotage<Fake> {
  /** The fault in words, as in "notices a fake that …". */
  readonly fault: string;
  readonly Fake: Fake;
  readonly fails: readonly string[];
}

export type Class<S, Args extends readonly unknown[]> = new (...args: Args) => S;

/** A class whose fakes show, under a name, what they were made with. */
export function showing<Data, S extends object, Name extends string>(
  Sound: new (data: Data) => S,
  name: Name,
): new (data: NonNullable<Data>) => S & Readonly<Record<Name, NonNullable<Data>>> {
  return class extends (Sound as new (data: Data) => object) {
    constructor(data: Data) {
      super(data);
      Object.assign(this, { [name]: data });
    }
  } as never;
}

/** A fake, with what only its own class and its faults may use. */
type Inside<S> = S extends ManagedResource
  ? Pick<S, keyof S> & {
      run<T>(work: () => Promise<T>): Promise<T>;
      onOpen(): Promise<void>;
      onClose(): Promise<void>;
    }
  : S;

/** The methods that a fault changes, each made of the sound one and the fake. */
export type Methods<S> = {
  readonly [M in keyof Inside<S>]?: (sound: Inside<S>[M], fake: Inside<S>) => Inside<S>[M];
};

type Fails = Pick<Sabotage<never>, 'fails'>;

/** A fake, a class that names its cases itself, or the methods that the fault changes. */
type Planted<S, Args extends readonly unknown[]> =
  | (Fails & { readonly Fake: Class<object, Args> })
  | (Fails & Class<object, Args>)
  | (Fails & Methods<S>);

/** A class like `Sound`, with other methods. */
function spoilt<S extends object, Args extends readonly unknown[]>(
  Sound: Class<S, Args>,
  methods: Methods<S>,
): Class<S, Args> {
  return new Proxy(Sound, {
    construct: (_, args, target) => {
      return plant(Reflect.construct(Sound, args, target) as S, methods);
    },
  });
}

/** Gives a fake other methods. */
export function plant<S extends object>(fake: S, methods: Methods<S>): S {
  for (const [name, make] of Object.entries(methods) as [keyof S, (sound: unknown, fake: S) => never][])
    fake[name] = make((fake[name] as () => unknown).bind(fake), fake);
  return fake;
}

/** Sabotages of a part of a world, as those of the world. `methods` puts the part in. */
export function inWorld<World extends object, Part>(
  Sound: Class<World, []>,
  sabotages: readonly Sabotage<Part>[],
  methods: (Fake: Part) => Methods<World>,
): readonly Sabotage<Class<World, []>>[] {
  return sabotages.map(({ Fake, ...others }) => ({ ...others, Fake: spoilt(Sound, methods(Fake)) }));
}

/** Makes sabotages of a table of fakes by their faults. */
export function faults<S extends object, Args extends readonly unknown[]>(
  Sound: Class<S, Args>,
  table: Readonly<Record<string, Planted<NoInfer<S>, NoInfer<Args>>>>,
): readonly Sabotage<Class<S, Args>>[] {
  return Object.entries(table).map(([fault, planted]) => {
    const { fails, ...methods } = planted;
    const own = typeof planted === 'function' ? planted : 'Fake' in planted && planted.Fake;
    const Fake = own === false ? spoilt(Sound, methods as Methods<S>) : (own as unknown as Class<S, Args>);
    return { fault, Fake, fails };
  });
}
