import { useSignal } from '@preact/signals';
import type { Settings } from '@tallybook/client';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { useTask } from '../../parts/use-requests.js';
import { Failure } from '../../parts/placeholders.js';
import { untilRestarted, waitingSettings } from '../../state/settings.js';
import { settingsTexts } from '../../texts/topics/settings.js';

/** After so many milliseconds without an answer, the page says what to look at. */
const SLOW_MS = 60_000;

/**
 * Restarts the service, or says how to do it where nothing would start it again. In both cases the page waits until the service
 * has started again.
 */
export function Restart({
  settings,
  onDone,
}: {
  readonly settings: Settings;
  /** Called when the saved settings are in use, or somebody goes on without that. */
  readonly onDone: () => void;
}): VNode {
  const { access, client, session, words } = usePage(settingsTexts);
  const isSlow = useSignal(false);
  const { errorOf, run } = useTask();
  const { canRestart } = settings;
  const names = waitingSettings(settings).map((name) => words.names[name]);
  useEffect(() => {
    const ends = new AbortController();
    const { signal } = ends;
    const readStart = async (): Promise<number> => (await client.get('/api/status', { signal })).startedAt;
    const slow = canRestart ? setTimeout(() => (isSlow.value = true), SLOW_MS) : undefined;
    void run(async () => {
      const before = await readStart();
      if (canRestart) await client.post('/api/restart');
      await untilRestarted(readStart, before, { signal });
      if (signal.aborted) return;
      // The name of the place, the zone and the readers may be others now.
      await access.load();
      session.load();
      onDone();
    });
    return () => {
      ends.abort();
      clearTimeout(slow);
    };
  }, []);
  return (
    <div class="stack" role="status">
      <p>{canRestart ? words.restartingHint : words.byHand}</p>
      {names.length > 0 && <p>{words.takesEffect(names.join(', '))}</p>}
      {isSlow.value && <p class="notice">{words.slow}</p>}
      <Failure text={errorOf()} />
      {(!canRestart || errorOf() !== undefined) && (
        <div class="actions">
          <Button onClick={onDone}>{words.goOn}</Button>
        </div>
      )}
    </div>
  );
}
