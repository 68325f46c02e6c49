import { setTimeout as sleep } from 'node:timers/promises';

/** The Tallybook of a machine, as root and as the network see it. */
export class Service {
  #machine;
  #token;
  #tags = 0;

  constructor(machine) {
    this.#machine = machine;
  }

  /** Makes the first user with the setup code, and a token for the requests of this test. */
  async claim() {
    const code = await this.#machine.run("tallybook setup-code | grep -oE '[0-9A-Z]{4}(-[0-9A-Z]{4})+'");
    const user = { code, name: 'ada', password: 'correct horse battery staple' };
    const answer = await this.request('POST', '/api/setup', user);
    if (answer.status !== 201) throw new Error(`POST /api/setup answered ${answer.status}: ${answer.text}`);
    await this.obtainToken();
  }

  async obtainToken() {
    this.#token = await this.#machine.run(
      "set -o pipefail; tallybook token add test --role admin 2>&1 | grep -oE 'tb_[A-Za-z0-9_-]+' | head -1",
    );
  }

  async request(method, path, body) {
    const response = await fetch(`${this.#machine.url}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000 * this.#machine.patience),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined };
  }

  async read(path) {
    const { status, text, json } = await this.request('GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    return json;
  }

  /** A property of the unit, from systemd. */
  show(property) {
    return this.#machine.run(`systemctl show --property=${property} --value tallybook`);
  }

  /** An id that no earlier tap has had. */
  nextTag() {
    return `04${(++this.#tags).toString(16).toUpperCase().padStart(8, '0')}`;
  }

  /** Taps at the reader, and waits until the record has the tag. */
  async tap() {
    const id = this.nextTag();
    this.#machine.tap(id);
    await this.untilRecorded(id);
    return id;
  }

  async untilRecorded(id) {
    await this.until(`the record has ${id}`, async () => (await this.recorded()).includes(id));
  }

  /** Sends a tap over HTTP. Resolves with the outcome when the service has acknowledged it. */
  async send(id) {
    const { status, text, json } = await this.request('POST', '/api/readers/gate/readings', { id });
    if (status !== 200) throw new Error(`a tap was answered with ${status}: ${text}`);
    return json.results[0].outcome;
  }

  /** The tags of all days. */
  async recorded() {
    const days = await this.read('/api/days?from=0&to=18446744073709551615');
    const all = await Promise.all(days.map((day) => this.read(`/api/day?day=${day}`)));
    return all.flatMap(({ ids }) => ids);
  }

  async untilReady() {
    const isReady = async () => (await this.request('GET', '/api/health/ready')).status === 200;
    await this.until('the service is ready', () => isReady().catch(() => false));
  }

  /** Waits for a state that comes by itself. */
  async until(what, isSo) {
    const end = performance.now() + 60_000 * this.#machine.patience;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`it did not come true that ${what}`);
      await sleep(200);
    }
  }
}
