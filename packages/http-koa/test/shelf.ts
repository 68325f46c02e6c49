import { EventEmitter } from 'node:events';
import type { Piece, Place, Source } from '../src/answers/source.js';
import type { Answer, Renderings, Resource } from '../src/answers/renderings.js';

/** Something with a revision that a test changes, and pieces that it lets be read. */
export class Shelf implements Resource {
  readonly key: string;
  /** One piece each; the revision. */
  content: readonly string[] = ['one'];
  opened = 0;
  disposed = 0;
  reads = 0;
  gate: Promise<unknown> = Promise.resolve();
  onOpen: () => void = () => undefined;
  onDispose: () => Promise<void> = () => Promise.resolve();

  constructor(key = 'shelf') {
    this.key = key;
  }

  readonly revision = (): Promise<string> => Promise.resolve(this.content.join(' '));

  readonly open = async (): Promise<Source | undefined> => {
    this.opened++;
    const { content, gate } = this;
    this.onOpen();
    await gate;
    return {
      heldBytes: 0,
      read: (place) => Promise.resolve(this.#read(content, place)),
      [Symbol.asyncDispose]: () => {
        this.disposed++;
        return this.onDispose();
      },
    };
  };

  #read(content: readonly string[], place: Place): Piece {
    this.reads++;
    const at = Number(place ?? 0);
    const text = content[at] ?? '';
    return at + 1 < content.length ? { text, next: at + 1 } : { text };
  }
}

/** Asks for what a resource is now, as a route does when nothing is kept for the revision. */
export async function ask(
  renderings: Renderings,
  resource: Shelf,
  client = new EventEmitter(),
): Promise<Answer | undefined | 'gone'> {
  const revision = await resource.revision();
  return renderings.kept(resource.key, revision) ?? renderings.get(resource, revision, client);
}

/** All bytes of an answer, as text. */
export async function textOf(answer: Answer | undefined | 'gone'): Promise<string> {
  if (answer === undefined || answer === 'gone') return String(answer);
  if ('body' in answer) return answer.body.toString();
  let text = '';
  for await (const piece of answer.rendering.pieces()) text += piece.toString();
  answer.leave();
  return text;
}

/** Lets everything happen that can happen by itself. */
export async function turns(count = 20): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
}
