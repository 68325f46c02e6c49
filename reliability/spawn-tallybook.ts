import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The shipped command line. */
export const program: string = fileURLToPath(
  new URL('../packages/server/bin/tallybook.cjs', import.meta.url),
);

/** Starts the shipped `tallybook` without the settings of this shell. */
export function spawnTallybook(
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): ChildProcessWithoutNullStreams {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('TALLYBOOK_')),
  );
  const child = spawn(process.execPath, [...nodeOptions, program, ...args], {
    stdio: 'pipe',
    env: { ...env, NODE_V8_COVERAGE: '' },
  });
  // So that no process is left when the harness is interrupted.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  return child;
}
