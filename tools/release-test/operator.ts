import { until } from '../../reliability/until.js';

const TYPE = { 'Content-Type': 'application/json' };
/** Commands hold up this process for longer than the service keeps an idle connection open. */
const ONCE = { Connection: 'close' };

interface Today {
  readonly now: { readonly time: number };
  readonly entries: readonly { readonly id: string; readonly count: number }[];
  readonly people: readonly { readonly name: { readonly first: string } | null }[];
}

/** A person at a browser of another machine. */
export class Operator {
  readonly #url: string;
  #cookie = '';

  constructor(address: string, port = 8080) {
    this.#url = `http://${address}:${port}`;
  }

  /** Waits until the service answers that it is ready. */
  async waitUntilReady(patienceMs: number): Promise<void> {
    const find = async (): Promise<boolean> => {
      const answer = await fetch(`${this.#url}/api/health`, { headers: ONCE }).catch(() => undefined);
      const health = answer === undefined ? undefined : ((await answer.json()) as { isReady?: boolean });
      return health?.isReady === true;
    };
    await until('the service is ready', find, patienceMs, 100);
  }

  async statusOf(path: string): Promise<number> {
    return (await this.#ask(path)).status;
  }

  /** Makes the first user, and stays signed in. */
  async claim(code: string): Promise<void> {
    const answer = await this.#post('/api/setup', { code, name: 'ada', password: 'of a length to remember' });
    this.#cookie = answer.headers.getSetCookie().map((each) => each.replace(/;.*/, ''))[0] ?? '';
  }

  async name(id: string, first: string): Promise<void> {
    await this.#post('/api/mapping', { id, name: { first, last: 'Lovelace' } });
  }

  async today(): Promise<Today> {
    return JSON.parse(await this.get('/api/today')) as Today;
  }

  /** How often a tag was tapped today. */
  async countOf(id: string): Promise<number> {
    return (await this.today()).entries.find((entry) => entry.id === id)?.count ?? 0;
  }

  async waitForTaps(id: string, count: number, patienceMs: number): Promise<void> {
    await until(
      `${id} was tapped ${count} times`,
      async () => (await this.countOf(id)) === count,
      patienceMs,
      100,
    );
  }

  /** The attendance of today for spreadsheets. */
  async csv(): Promise<string> {
    const { now } = await this.today();
    return this.get(`/api/csv?from=${now.time}&to=${now.time}`);
  }

  async get(path: string): Promise<string> {
    const answer = await this.#ask(path);
    if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}: ${await answer.text()}`);
    return answer.text();
  }

  #ask(path: string): Promise<Response> {
    return fetch(this.#url + path, { headers: { ...ONCE, Cookie: this.#cookie } });
  }

  async #post(path: string, body: object): Promise<Response> {
    const answer = await fetch(this.#url + path, {
      method: 'POST',
      headers: { ...ONCE, ...TYPE, Origin: this.#url, Cookie: this.#cookie },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}: ${await answer.text()}`);
    return answer;
  }
}
