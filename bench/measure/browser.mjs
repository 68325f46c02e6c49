import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../packages/web/package.json', import.meta.url))(
  'playwright-core',
);
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A real browser, which measures for how long the main thread of a page had a processor: whatever else the machine does. */
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
   * A tab of a browser that knows nothing yet.
   *
   * @param slowdown How many times slower its processor is than this one.
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

  /** Milliseconds of processor time that the page takes for something, all tasks until it has come to rest. */
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
   * Opens an address, until what a selector finds is on the screen.
   *
   * @returns Milliseconds until then, and those of them in which the page had a processor.
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
