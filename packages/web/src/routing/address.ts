import { signal, type ReadonlySignal } from '@preact/signals';

/** Where the page is: the part of the address after `#`. So it works below any path, without a server's help. */
export class Address {
  private readonly window: Pick<Window, 'location' | 'history' | 'addEventListener'>;
  private readonly shown = signal('/');

  /** @param window The one of the browser. */
  constructor(window: Pick<Window, 'location' | 'history' | 'addEventListener'>) {
    this.window = window;
    this.read();
  }

  /** Begins with a slash. */
  get path(): ReadonlySignal<string> {
    return this.shown;
  }

  /** Follows links and the buttons of the browser from now on. */
  follow(): void {
    this.window.addEventListener('hashchange', () => this.read());
  }

  /** @param href As in `paths`: begins with `#`. */
  go(href: string): void {
    this.window.location.hash = href;
  }

  /** Replaces the present address: the browser's way back skips it. */
  replace(href: string): void {
    this.window.history.replaceState(null, '', href);
    this.read();
  }

  private read(): void {
    this.shown.value = this.window.location.hash.replace(/^#?\/?/, '/');
  }
}
