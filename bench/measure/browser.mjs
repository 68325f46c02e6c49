import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../packages/web/package.json', import.meta.url))(
  'playwright-core',
);
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/**
 * A real browser. It measures the processor time of the main thread of a page, which does not depend on the other work of
 * the machine.
 */
export class Browser {
  #browser;

  static async launch() {
    const browser = new Browser();
    browser.#browser = await chromium.launch({ executablePath: EXECUTABLE });
    return browser;
  }

  close() {
    return this.#browser.close();
  }

  /**
   * A tab of a browser with an empty cache and no stored data.
   *
   * @param slowdown How many times slower than this machine its processor is.
   */
  async open({ slowdown = 1 } = {}) {
    const context = await this.#browser.newContext({
      viewport: { width: 1_200, height: 800 },
      locale: 'en-GB',
    });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    if (slowdown > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    return new Tab(page, session);
  }
}

class Tab {
  page;
  #session;

  constructor(page, session) {
    this.page = page;
    this.#session = session;
  }

  close() {
    return this.page.context().close();
  }

  /** Milliseconds of processor time that an action costs the page: all tasks until the page is idle. */
  async busyMs(act) {
    const before = await this.#busyMs();
    await act();
    await this.page.evaluate(
      () =>
        new Promise((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(resolve))),
        ),
    );
    return (await this.#busyMs()) - before;
  }

  /**
   * Opens an address, and waits until the element of a selector is on the screen.
   *
   * @returns Milliseconds until then, and the milliseconds of processor time of the page.
   */
  async load(url, selector) {
    await this.page.addInitScript((wanted) => {
      new MutationObserver((_, observer) => {
        if (document.querySelector(wanted) === null) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => globalThis.tellShown(performance.now())));
      }).observe(document, { childList: true, subtree: true });
    }, selector);
    const before = await this.#busyMs();
    const shown = new Promise((resolve, reject) => {
      this.page
        .exposeFunction('tellShown', resolve)
        .then(() => this.page.goto(url, { waitUntil: 'commit' }))
        .then((response) => {
          if (response?.ok() !== true) reject(new Error(`${url} is answered with ${response?.status()}`));
        })
        .catch(reject);
    });
    const elapsedMs = await shown;
    const busyMs = (await this.#busyMs()) - before;
    return { elapsedMs, busyMs };
  }

  async #busyMs() {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
  }
}
