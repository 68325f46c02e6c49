import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ReaderState, Service } from './service.js';

/** State of the readers. There is no event for it, so the page asks. */
export class Readers {
  private readonly service: Pick<Service, 'listReaders'>;
  private readonly listed = signal<readonly ReaderState[] | undefined>(undefined);
  /** Readers at which nobody can tap. */
  readonly missing: ReadonlySignal<readonly ReaderState[]> = computed(
    () => this.listed.value?.filter(({ connection }) => connection === 'waiting') ?? [],
  );

  constructor(service: Pick<Service, 'listReaders'>) {
    this.service = service;
  }

  /** `undefined` before the service has answered. */
  get all(): ReadonlySignal<readonly ReaderState[] | undefined> {
    return this.listed;
  }

  async load(): Promise<void> {
    this.listed.value = await this.service.listReaders();
  }
}
