import type { Random } from '../random.js';
import { PageViewer } from './page-viewer.js';
import type { SoakedService } from './soaked-service.js';
import { tagOf } from './soaked-service.js';

const COMES = 0.4;
const LEAVES = 0.25;
const STALLS = 0.1;
const LOOKS = 4;

/** Viewers: they come and go, look at pages and change names. Some stop reading. */
export class Audience {
  readonly #service: SoakedService;
  readonly #places: (PageViewer | undefined)[];
  /** The latest acknowledged name of each tag. */
  readonly names = new Map<string, string>();
  /** For the figures. */
  readonly counts = { visits: 0, looks: 0, unchanged: 0, events: 0, nameChanges: 0 };

  /** @param size Most viewers at the same time. */
  constructor(service: SoakedService, size: number) {
    this.#service = service;
    this.#places = Array.from({ length: size }, () => undefined);
  }

  /** Some viewers come, some go, the present ones look at pages, and two names change. Rejects if an answer is wrong. */
  async spendDay(random: Random, people: number): Promise<void> {
    for (const [place, viewer] of this.#places.entries()) {
      if (viewer === undefined && random.chance(COMES)) {
        this.#places[place] = await this.#welcome(random);
      } else if (viewer !== undefined && random.chance(LEAVES)) {
        this.#dismiss(place);
      }
    }
    const viewers = this.#places.filter((viewer) => viewer !== undefined);
    await Promise.all(viewers.map((viewer) => this.#lookAround(viewer, random.fork())));
    const [editor] = viewers;
    for (let n = 0; n < 2 && editor !== undefined; n++)
      await this.#rename(editor, random, tagOf(random.between(0, people - 1)));
  }

  leave(): void {
    for (const place of this.#places.keys()) this.#dismiss(place);
  }

  async #welcome(random: Random): Promise<PageViewer> {
    const viewer = new PageViewer(this.#service.url);
    await viewer.watch();
    if (random.chance(STALLS)) viewer.stall();
    this.counts.visits++;
    return viewer;
  }

  #dismiss(place: number): void {
    const viewer = this.#places[place];
    this.counts.events += viewer?.events ?? 0;
    viewer?.leave();
    this.#places[place] = undefined;
  }

  async #lookAround(viewer: PageViewer, random: Random): Promise<void> {
    const { today } = this.#service;
    for (let n = random.between(1, LOOKS); n > 0; n--) {
      const day = today - random.between(0, 30);
      const path = random.pick([
        '/api/mapping',
        `/api/day?day=${today - 1}`,
        `/api/day?day=${day}&expand=entries`,
        `/api/days?from=${day * 86_400}&to=${today * 86_400}`,
      ]);
      const { status, body } = await viewer.look(path);
      if (![200, 304, 404].includes(status)) throw new Error(`${path} was answered with ${status}`);
      if (status === 200) JSON.parse(body);
      if (status === 304) this.counts.unchanged++;
      this.counts.looks++;
    }
  }

  async #rename(editor: PageViewer, random: Random, id: string): Promise<void> {
    const last = `Holder ${random.between(0, 99_999)}`;
    const status = await editor.assign(id, 'Tag', last);
    if (status !== 200 && status !== 201) throw new Error(`a name was answered with ${status}`);
    this.names.set(id, last);
    this.counts.nameChanges++;
  }
}
