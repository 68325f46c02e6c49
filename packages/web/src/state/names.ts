import { signal, type ReadonlySignal } from '@preact/signals';
import type { Name, Service } from './service.js';

/** Who holds which tag, by id. */
export class Names {
  readonly #service: Pick<Service, 'readMapping' | 'assignName'>;
  readonly #all = signal<ReadonlyMap<string, Name>>(new Map());

  constructor(service: Pick<Service, 'readMapping' | 'assignName'>) {
    this.#service = service;
  }

  get all(): ReadonlySignal<ReadonlyMap<string, Name>> {
    return this.#all;
  }

  async load(): Promise<void> {
    this.#all.value = new Map(Object.entries(await this.#service.readMapping()));
  }

  /** Takes over what somebody else has changed, as a tap shows it. */
  note(id: string, name: Name): void {
    const known = this.#all.peek().get(id);
    if (known?.first === name.first && known.last === name.last) return;
    this.#all.value = new Map(this.#all.peek()).set(id, name);
  }

  /** Gives a tag to somebody: on the disk when this resolves. */
  async give(id: string, name: Name): Promise<void> {
    await this.#service.assignName(id, name);
    this.note(id, name);
  }
}
