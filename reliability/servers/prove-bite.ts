import { RoundRobin } from '../../packages/server/test/fixtures/http/round-robin.js';
import type { Figure } from '../part.js';
import type { Random } from '../random.js';
import { followStream } from './follow-stream.js';
import { Liar, type Lie } from './liar.js';
import { lies } from './lies.js';
import { Load, type LoadSubject } from './load.js';
import { readAll } from './read-all.js';
import { ServersLedger } from './servers-ledger.js';
import { lastTagOf, type Subject } from './subject.js';

/** Acknowledgements after which each lie has been used several times. */
const ACKNOWLEDGEMENTS = 100;
/** Few, because each is read one by one. */
const TAGS = 20;
const DEVICES_OF_A_LIE = 2;
/** All of them, so that each load has taps with two answers. */
const AGAIN = 1;
/** How long an ended session may still be valid. Only the lie reaches this limit: servers check four times a second. */
const PATIENCE_MS = 5_000;

/** Names of readers that the servers need in addition to those of the load. */
export const biteDevices: readonly string[] = Object.keys(lies).flatMap((_, n) => devicesOf(n));

/**
 * Puts a {@link Liar} before both servers for each load, with one fault for each load. Reports the faults that the
 * ledger did not find. All loads run at the same time, each with its own tags.
 */
export async function proveBite(
  servers: readonly { readonly url: string }[],
  headers: Subject['headers'],
  random: Random,
): Promise<{ readonly figures: readonly Figure[]; readonly missed: readonly string[] }> {
  const names = Object.keys(lies);
  const found = await Promise.all(
    names.map(async (name, n) => {
      const prefix = `B${n.toString(16).toUpperCase()}`;
      const subject = {
        prefix,
        headers,
        devices: devicesOf(n),
        random: random.fork(),
        tags: TAGS,
        again: AGAIN,
        patienceMs: PATIENCE_MS,
      };
      const { tell, verdict = /^$/ } = lies[name] ?? {};
      const problems = await hear(servers, tell?.(prefix) ?? [], subject);
      return problems.some((problem) => verdict.test(problem)) ? [] : [name];
    }),
  );
  const missed = found.flat();
  return {
    figures: [{ what: 'planted lies that the ledger found', value: names.length - missed.length }],
    missed: missed.map((name) => `the ledger did not find out that ${name}`),
  };
}

/** Runs a load with these lies. Resolves with the problems that the ledger finds. */
async function hear(
  servers: readonly { readonly url: string }[],
  told: readonly Lie[],
  subject: LoadSubject,
): Promise<readonly string[]> {
  const liars = await Promise.all(servers.map(({ url }, n) => Liar.start(url, told[n] ?? {})));
  const balancer = await RoundRobin.start(liars.map(({ url }) => url));
  try {
    const ledger = new ServersLedger();
    const load = new Load(balancer.url, ledger, subject);
    const following = followStream(balancer.url, {
      ...subject,
      onChange: (id) => ledger.follow(id),
      onReset: () => undefined,
    });
    await load.progress(ACKNOWLEDGEMENTS);
    await load.finish();
    await load.tapOnce(lastTagOf(subject.prefix));
    await following;
    const shown = await Promise.all(liars.map(({ url }) => readAll(url, subject)));
    return shown.flatMap((each) => ledger.judge(each));
  } finally {
    await balancer.stop();
    for (const liar of liars) await liar.stop();
  }
}

function devicesOf(lie: number): readonly string[] {
  return Array.from({ length: DEVICES_OF_A_LIE }, (_, n) => `b${lie}-${n}`);
}
