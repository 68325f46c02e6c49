import { signal, type ReadonlySignal } from '@preact/signals';

/** A short message. */
export interface Toast {
  readonly number: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
}

/** Messages about recent actions. Only the latest one is shown. */
export class Toasts {
  private readonly shown = signal<Toast | undefined>(undefined);
  private count = 0;
  readonly current: ReadonlySignal<Toast | undefined> = this.shown;

  done(text: string): void {
    this.shown.value = { kind: 'done', text, number: ++this.count };
  }

  failed(text: string): void {
    this.shown.value = { kind: 'failed', text, number: ++this.count };
  }

  clear(): void {
    this.shown.value = undefined;
  }

  /** Removes this message; a later one stays. */
  dismiss(toast: Toast): void {
    if (this.shown.peek() === toast) this.shown.value = undefined;
  }
}
