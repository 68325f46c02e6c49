import { signal, type ReadonlySignal } from '@preact/signals';

/** A short message, with something to do if it has an `action`. */
export interface Toast {
  readonly number: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Messages about what has just been done. One is seen at a time: the latest. */
export class Toasts {
  private readonly shown = signal<Toast | undefined>(undefined);
  private count = 0;

  get current(): ReadonlySignal<Toast | undefined> {
    return this.shown;
  }

  show(toast: Omit<Toast, 'number'>): void {
    this.shown.value = { ...toast, number: ++this.count };
  }

  clear(): void {
    this.shown.value = undefined;
  }

  /** Takes this one away; a later one stays. */
  dismiss(toast: Toast): void {
    if (this.shown.peek() === toast) this.shown.value = undefined;
  }
}
