// Finds the resources that keep the process alive, and the test that made each. Hooks of `async_hooks` would find more, but
// they also watch promises, which makes the tests twelve times slower.
'use strict';
const timers = require('node:timers');

/** Number of remembered timers at which ended timers are dropped. */
const MOST_TIMERS = 1_000;
const MOST_SUSPECTS = 10;

exports.ResourceWatch = class ResourceWatch {
  #timers = [];
  /** Running workers. Node lists them neither as handles nor as resources. */
  #workers = new Map();
  #makers = new WeakMap();
  #unseenTimers = 0;
  #suspects = [];

  /** @param maker Returns the name of the test that runs while a timer or a worker is made. */
  start(maker) {
    for (const name of ['setTimeout', 'setInterval']) {
      const original = globalThis[name];
      const watched = (...args) => {
        const timer = original(...args);
        this.#remember(timer, maker(), watched);
        return timer;
      };
      Object.defineProperties(watched, Object.getOwnPropertyDescriptors(original));
      globalThis[name] = timers[name] = watched;
    }
    process.on('worker', (worker) => {
      this.#workers.set(worker, maker());
      worker.once('exit', () => this.#workers.delete(worker));
    });
  }

  /** Records `maker` as the maker of all sockets, servers, processes and pauses that are new since the last call. */
  attribute(maker) {
    for (const handle of process._getActiveHandles()) {
      if (!this.#makers.has(handle)) this.#makers.set(handle, maker);
    }
    const count = this.#countUnseenTimers();
    if (count > this.#unseenTimers) this.#suspects.push(maker);
    this.#unseenTimers = count;
  }

  /** A line for each resource that keeps the process alive: its kind, and its origin, if known. */
  describe() {
    const handles = process._getActiveHandles().filter((handle) => !isStandard(handle));
    const held = this.#timers.filter(isHeld);
    const lines = [
      ...handles.map((handle) => `${nameOf(handle)}, first seen in ${this.#makers.get(handle)}`),
      ...held.map(
        ({ timer, made, maker }) => `timer of ${timer.deref()._idleTimeout} ms of ${maker}${placeOf(made)}`,
      ),
    ];
    for (const [{ threadId }, maker] of this.#workers) lines.push(`worker ${threadId} of ${maker}`);
    const unseen = this.#countUnseenTimers();
    if (unseen === 0) return lines;
    const suspects = this.#suspects.slice(0, MOST_SUSPECTS).map((maker) => `\n      ${maker}`);
    return [
      ...lines,
      `${unseen} pauses, as of node:timers/promises; there were more of them after${suspects.join('')}`,
    ];
  }

  /** Counts timers that were not made with the global functions. */
  #countUnseenTimers() {
    const all = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    return all - this.#timers.filter(isHeld).length;
  }

  #remember(timer, maker, watched) {
    if (this.#timers.length >= MOST_TIMERS) this.#timers = this.#timers.filter(isHeld);
    const made = {};
    Error.captureStackTrace(made, watched);
    this.#timers.push({ timer: new WeakRef(timer), made, maker });
  }
};

function isHeld({ timer }) {
  const held = timer.deref();
  return held !== undefined && !held._destroyed && held.hasRef();
}

/** Whether a handle is one of the standard streams, which always exist. */
function isStandard(handle) {
  return handle === process.stdin || handle === process.stdout || handle === process.stderr;
}

function nameOf(handle) {
  const kind = handle.constructor.name;
  if (handle.pid !== undefined) return `${kind} ${handle.pid}: ${handle.spawnargs?.join(' ')}`;
  const address = handle.address?.() ?? {};
  const { port, address: host } = typeof address === 'string' ? { address } : address;
  const where = [host, port, handle.remotePort === undefined ? undefined : `to ${handle.remotePort}`];
  return [kind, ...where.filter((part) => part !== undefined)].join(' ');
}

/** The innermost lines of a stack from this project. */
function placeOf({ stack }) {
  const lines = stack.split('\n').filter((line) => /\/(?:packages|examples|reliability|tools)\//.test(line));
  const own = lines.filter((line) => !/node_modules|tools\/mocha/.test(line)).slice(0, 3);
  return own.map((line) => `\n      ${line.trim()}`).join('');
}
