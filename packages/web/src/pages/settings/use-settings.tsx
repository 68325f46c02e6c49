import type { Settings } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Answered } from '../../parts/placeholders.js';
import { useAnswer, type Asked } from '../../parts/use-requests.js';
import { settingsTexts } from '../../texts/topics/settings.js';

/** Asks for the settings; `null` if the service stores none, as with PostgreSQL. */
export function useSettings(): Asked<Settings | null> {
  const { client } = usePage();
  return useAnswer(async (signal) => (await client.find('/api/settings', { signal })) ?? null, []);
}

/** Shows the settings, or where they are if the service stores none. */
export function WithSettings({
  asked,
  children,
}: {
  readonly asked: Asked<Settings | null>;
  readonly children: (settings: Settings) => VNode;
}): VNode {
  const { words } = usePage(settingsTexts);
  return (
    <Answered asked={asked}>
      {(settings) => (settings === null ? <p>{words.notStored}</p> : children(settings))}
    </Answered>
  );
}
