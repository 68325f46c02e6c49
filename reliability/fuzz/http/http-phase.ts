import { randomOf, type Random } from '../../random.js';
import { converse, type Conversation } from './conversation.js';
import { parseAnswers, type HttpAnswers } from './http-answers.js';
import { escapeBytes, type Script } from '../script.js';

/** A kind of script, and the number of its requests. */
export interface HttpPhase {
  /** Names the phase in the figures and, with the number of a case, in `--replay`. */
  readonly name: string;
  /** About how many hostile requests to send. */
  readonly requests: number;
  readonly make: (random: Random) => Script;
}

/** The result of a phase. */
export interface HttpTally {
  readonly hostile: number;
  /** Requests with credentials among them. */
  readonly withCredentials: number;
  /** Requests without permission that were not refused. */
  readonly crossings: number;
  readonly connections: number;
  /** Number of answers by the hundreds of their status: `4` for 400 to 499. {@link BUSY} is counted separately. */
  readonly classes: ReadonlyMap<number, number>;
  readonly failures: readonly string[];
}

export interface Target {
  readonly port: number;
  /** How the server ended; `undefined` while it runs. */
  readonly ending: string | undefined;
}

const CONCURRENCY = 96;
/** Status of a refusal because of too many simultaneous requests. Allowed where the description of the service has it. */
export const BUSY = 503;
/** Failures after which the phase ends: more of them give no new information. */
const ENOUGH_FAILURES = 5;
/** Bytes of a case that are shown; `--replay` shows all. */
const SHOWN_BYTES = 3_000;

/** Sends scripts, many at the same time, until the phase has sent its number of hostile requests. */
export async function runHttpPhase(phase: HttpPhase, seed: number, target: Target): Promise<HttpTally> {
  let next = 0;
  let hostile = 0;
  let withCredentials = 0;
  let crossings = 0;
  let connections = 0;
  const classes = new Map<number, number>();
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    while (hostile < phase.requests && failures.length < ENOUGH_FAILURES && target.ending === undefined) {
      const number = next++;
      const script = phase.make(randomOf(seed, `${phase.name} ${number}`));
      hostile += script.hostile;
      withCredentials += script.withCredentials ?? 0;
      connections++;
      const conversation = await converse(target.port, script);
      const answers = parseAnswers(conversation.received);
      for (const status of answers.statuses) {
        const kind = isBusy(script, status) ? BUSY : Math.floor(status / 100);
        classes.set(kind, (classes.get(kind) ?? 0) + 1);
      }
      crossings += findCrossings(script, answers).length;
      const problem = findProblem(script, conversation, answers);
      if (problem !== undefined)
        failures.push(describe(`${phase.name}:${number}`, seed, problem, script, conversation));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { hostile, withCredentials, crossings, connections, classes, failures };
}

/** Repeats one case, and describes it, with its problem if it has one. */
export async function replayHttpCase(
  phase: HttpPhase,
  number: number,
  seed: number,
  target: Target,
): Promise<{ readonly problem: string | undefined; readonly description: string }> {
  const script = phase.make(randomOf(seed, `${phase.name} ${number}`));
  const conversation = await converse(target.port, script);
  const problem = findProblem(script, conversation, parseAnswers(conversation.received));
  const said = problem ?? 'nothing is wrong with it';
  return {
    problem,
    description: describe(`${phase.name}:${number}`, seed, said, script, conversation, Infinity),
  };
}

/** The problem of the answers, if there is one. */
function findProblem(
  script: Script,
  { end, isImpatient }: Conversation,
  answers: HttpAnswers,
): string | undefined {
  if (end === 'unreachable') return 'the server took no connection';
  if (end === 'hung') return 'the server neither answered nor closed';
  const { statuses, problem, isCut } = answers;
  if (problem !== undefined) return `the answer is no HTTP: ${problem}`;
  const failed = statuses.find((status) => status >= 500 && !isBusy(script, status));
  if (failed !== undefined) return `it was answered with ${failed}`;
  const wasLeft = script.end !== 'wait' || isImpatient;
  if (isCut && end === 'closed' && !wasLeft) return 'the answer ends before its end';
  const finals = statuses.filter(isFinal).length;
  if (script.answers !== undefined && finals !== script.answers) {
    return `${script.answers} requests got ${finals} answers`;
  }
  const [crossing] = findCrossings(script, answers);
  return crossing === undefined ? undefined : `somebody who may not do that was answered with ${crossing}`;
}

/** The answers that should have been refusals and were not. */
function findCrossings({ refusals = [] }: Script, { statuses }: HttpAnswers): readonly number[] {
  const finals = statuses.filter(isFinal);
  return refusals.flatMap((at) => finals[at] ?? []).filter((status) => status < 400);
}

function isFinal(status: number): boolean {
  return status >= 200;
}

function isBusy({ mayBeBusy }: Script, status: number): boolean {
  return status === BUSY && mayBeBusy === true;
}

function describe(
  name: string,
  seed: number,
  problem: string,
  script: Script,
  { received, end, tookMs }: Conversation,
  mostBytes: number = SHOWN_BYTES,
): string {
  const sent = script.pieces.map((piece) => escapeBytes(piece, mostBytes)).join('\n       ');
  return [
    `${name}: ${problem}; again with "npm run reliability -- fuzz --seed ${seed} --replay ${name}"`,
    `  sent ${sent}`,
    `  then ${script.end}, and received ${escapeBytes(received, mostBytes)} (${end} after ${Math.round(tookMs)} ms)`,
  ].join('\n');
}
