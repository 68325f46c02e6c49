import { signal, type ReadonlySignal } from '@preact/signals';

/**
 * The part of the address after `#`, which names the present page. So the page works below any path, without help of
 * the server.
 */
export class Address {
  private readonly window: Pick<Window, 'location' | 'history' | 'addEventListener'>;
  private readonly shown = signal('/');

  /** @param window The window of the browser. */
  constructor(window: Pick<Window, 'location' | 'history' | 'addEventListener'>) {
    this.window = window;
    this.read();
  }

  /** The path; begins with a slash. */
  get path(): ReadonlySignal<string> {
    return this.shown;
  }

  /** Follows links and the buttons of the browser from now on. */
  follow(): void {
    this.window.addEventListener('hashchange', () => this.read());
  }

  /** @param href An address of `paths`: begins with `#`. */
  go(href: string): void {
    this.window.location.hash = href;
  }

  /** Replaces the present address: the back button skips the old one. */
  replace(href: string): void {
    this.window.history.replaceState(null, '', href);
    this.read();
  }

  private read(): void {
    this.shown.value = this.window.location.hash.replace(/^#?\/?/, '/');
  }
}
