import type { IncomingMessage } from 'node:http';
import type { Subscription } from '@tallybook/domain';
import type { AccessService } from '@tallybook/domain/access';

interface Watched {
  readonly stream: Subscription;
  readonly mayGoOn: () => boolean;
}

/** Ends streams when their principals may no longer have them. */
export class StreamWatch {
  readonly #access: Pick<AccessService, 'changes'>;
  readonly #streams = new Map<IncomingMessage, Watched>();
  #changes: Subscription | undefined;

  constructor(access: Pick<AccessService, 'changes'>) {
    this.#access = access;
  }

  /** @param mayGoOn Called after each change of users, sessions and tokens. */
  watch(request: IncomingMessage, stream: Subscription, mayGoOn: () => boolean): void {
    if (request.destroyed) return;
    this.#streams.set(request, { stream, mayGoOn });
    this.#changes ??= this.#access.changes.subscribe(() => this.#look());
    request.once('close', () => this.#forget(request));
  }

  #look(): void {
    for (const [request, { stream, mayGoOn }] of this.#streams) {
      if (mayGoOn()) continue;
      this.#forget(request);
      stream.unsubscribe();
    }
  }

  #forget(request: IncomingMessage): void {
    this.#streams.delete(request);
    if (this.#streams.size > 0) return;
    this.#changes?.unsubscribe();
    this.#changes = undefined;
  }
}
