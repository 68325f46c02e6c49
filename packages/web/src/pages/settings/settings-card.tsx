import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { Failure } from '../../parts/placeholders.js';
import { useAnswer, useTask } from '../../parts/use-requests.js';
import { paths } from '../../routing.js';
import { KEEP_GUESTS_DEFAULT, waitingSettings } from '../../state/settings.js';
import { personalTexts } from '../../texts/topics/personal.js';
import { settingsTexts } from '../../texts/topics/settings.js';

/** The settings in use, with a link to change them. A service that stores none has no card. */
export function SettingsCard(): VNode | null {
  const { client, texts, words } = usePage(settingsTexts);
  const { units } = personalTexts[texts.language];
  const { value: settings, load } = useAnswer(() => client.find('/api/settings'), []);
  const { errorOf, isBusy, run } = useTask();
  if (settings === undefined) return null;
  const waiting = waitingSettings(settings).map((name) => words.names[name]);
  const skip = async (): Promise<void> => {
    if (await run(() => client.put('/api/settings', { body: {} }))) load();
  };
  return (
    <Card title={words.title}>
      {!settings.isAsked && (
        <div class="notice stack">
          <p>{words.open}</p>
          <p class="actions">
            <a class="button" href={paths.firstSteps}>
              {words.firstTitle}
            </a>
            <Button isDisabled={isBusy.value} onClick={() => void skip()}>
              {words.skip}
            </Button>
          </p>
          <Failure text={errorOf()} />
        </div>
      )}
      <Facts
        facts={settings.settings.map(({ name, inUse }) => {
          const all = inUse === null ? [] : [inUse].flat();
          const [only = ''] = all;
          const empty = { keep: words.keepAll, keepGuests: units(KEEP_GUESTS_DEFAULT) };
          const shown =
            only === ''
              ? ((empty as Record<string, string>)[name] ?? words.notSet)
              : only === 'never'
                ? words.keepGuestsNever
                : name === 'keep' || name === 'keepGuests'
                  ? units(only)
                  : all.join(', ');
          return [words.names[name], shown];
        })}
      />
      {waiting.length > 0 && <p class="notice">{words.waits(waiting.join(', '))}</p>}
      <p class="actions">
        <a class="button" href={paths.settings}>
          {words.change}
        </a>
      </p>
    </Card>
  );
}
