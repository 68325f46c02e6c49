import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How many bytes the buffers of this process take that are still in use. */
export function measureBuffers(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // Another thread frees what was found; the second time it is waited for.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
