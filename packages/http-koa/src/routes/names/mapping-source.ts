import type { Association, MappingSnapshot, TallyId } from '@tallybook/domain';
import type { Piece, Place, Source } from '../../answers/source.js';

const NAMES_OF_PIECE = 500;

/** Form of an answer with names: the text before and after them, and the text of each name. */
export interface MappingForm {
  readonly open: string;
  readonly close: string;
  readonly format: (association: Association) => string;
}

/** The mapping at one moment, with a page of names in each piece. */
export class MappingSource implements Source {
  readonly heldBytes = 0;
  readonly #snapshot: MappingSnapshot;
  readonly #form: MappingForm;

  constructor(snapshot: MappingSnapshot, form: MappingForm) {
    this.#snapshot = snapshot;
    this.#form = form;
  }

  async read(place: Place): Promise<Piece> {
    const { open, close, format } = this.#form;
    const page = await this.#snapshot.page(place as TallyId | undefined, NAMES_OF_PIECE);
    const head = place === undefined ? open : '';
    const last = page.at(-1);
    if (last === undefined) return { text: `${head}${close}` };
    return { text: `${head || ','}${page.map(format).join(',')}`, next: last[0] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#snapshot[Symbol.asyncDispose]();
  }
}
