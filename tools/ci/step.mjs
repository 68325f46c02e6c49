// A step of a run: a command. Its output is shown when it has ended, so that the outputs of simultaneous steps are readable.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Running steps, with their output. Each has its own process group. If the run ends early, the whole group is killed.
 */
const running = new Map();
process.once('exit', () => {
  for (const [{ pid }, { name, pieces }] of running) {
    console.log(`\n== ${name}: ended early\n${textOf(pieces)}`);
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  }
});

/** Runs a step. Resolves with its output, its time, and whether it succeeded. */
export async function runStep({ name, command, variables = {} }) {
  const begin = performance.now();
  console.log(`-- begins: ${name}`);
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, NO_COLOR: '1', ...variables },
  });
  const pieces = [];
  running.set(child, { name, pieces });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
  const failed = new Promise((resolve) => {
    child.once('error', ({ message }) => {
      pieces.push(Buffer.from(`${program} could not be started: ${message}\n`));
      resolve([1]);
    });
  });
  const [code] = await Promise.race([once(child, 'close').catch(() => failed), failed]);
  running.delete(child);
  const output = textOf(pieces);
  const seconds = Math.round((performance.now() - begin) / 1_000);
  console.log(`\n== ${name}: ${code === 0 ? 'done' : 'FAILED'} in ${seconds} s\n${output}\n`);
  return { name, output, seconds, isDone: code === 0 };
}

/** Runs a limited number of steps at a time, in the order of their arrival. */
export class Lanes {
  #free;
  #waiting = [];

  /** @param {number} count */
  constructor(count) {
    this.#free = count;
  }

  /**
   * Runs steps. When all of them have ended, resolves with their results in order. Steps that are added meanwhile use the
   * free lanes.
   *
   * @param {{ isNext?: boolean }} options Whether these steps come before all waiting steps.
   */
  run(steps, { isNext = false } = {}) {
    const places = [];
    const ended = steps.map((step) => new Promise((resolve) => places.push({ step, resolve })));
    this.#waiting = isNext ? [...places, ...this.#waiting] : [...this.#waiting, ...places];
    this.#begin();
    return Promise.all(ended);
  }

  #begin() {
    while (this.#free > 0 && this.#waiting.length > 0) {
      const { step, resolve } = this.#waiting.shift();
      this.#free--;
      runStep(step).then((result) => {
        this.#free++;
        resolve(result);
        this.#begin();
      });
    }
  }
}

/** Largest number of lines that are shown for a failed step, and the largest length of each. */
const TOLD_LINES = 8;
const TOLD_LENGTH = 300;

/**
 * The first lines in the output of a step that show a failure: a part of the proofs, a test, an error, or a timeout.
 *
 * @param {string} output
 * @returns {string[]}
 */
export function findFailures(output) {
  const lines = output
    .split('\n')
    .filter((line) => /\bFAILED\b|^\s+\d+\) |\b[A-Za-z]*Error\b|\bexceeded\b/.test(line));
  return lines.slice(0, TOLD_LINES).map((line) => line.trim().slice(0, TOLD_LENGTH));
}

function textOf(pieces) {
  return Buffer.concat(pieces).toString().trimEnd();
}
