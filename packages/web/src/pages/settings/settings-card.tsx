import type { Settings } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { Failure } from '../../parts/placeholders.js';
import { useTask } from '../../parts/use-requests.js';
import { paths } from '../../routing.js';
import { nameOfReader } from '../../state/reader-urls.js';
import { KEEP_GUESTS_DEFAULT, waitingSettings } from '../../state/settings.js';
import { personalTexts } from '../../texts/topics/personal.js';
import { settingsTexts } from '../../texts/topics/settings.js';
import { useSettings, WithSettings } from './use-settings.js';

/** The settings in use, with a link to change them. */
export function SettingsCard(): VNode {
  const { words } = usePage(settingsTexts);
  const asked = useSettings();
  return (
    <Card title={words.title}>
      <WithSettings asked={asked}>
        {(settings) => <InUse settings={settings} onSkip={asked.load} />}
      </WithSettings>
    </Card>
  );
}

function InUse({ settings, onSkip }: { readonly settings: Settings; readonly onSkip: () => void }): VNode {
  const { client, texts, words } = usePage(settingsTexts);
  const { units } = personalTexts[texts.language];
  const { errorOf, isBusy, run } = useTask();
  const waiting = waitingSettings(settings).map((name) => words.names[name]);
  const skip = async (): Promise<void> => {
    if (await run(() => client.put('/api/settings', { body: {} }))) onSkip();
  };
  const shown = ({ name, inUse }: Settings['settings'][number]): string => {
    const texts = [inUse ?? []].flat();
    if (name === 'readers') return texts.map((url) => nameOfReader(url) || url).join(', ') || words.notSet;
    const text = texts.join(', ');
    if (name === 'keep') return text === '' ? words.keepAll : units(text);
    if (name === 'keepGuests')
      return text === 'never' ? words.keepGuestsNever : units(text || KEEP_GUESTS_DEFAULT);
    return text || words.notSet;
  };
  return (
    <>
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
      <Facts facts={settings.settings.map((each) => [words.names[each.name], shown(each)])} />
      {waiting.length > 0 && <p class="notice">{words.waits(waiting.join(', '))}</p>}
      <p class="actions">
        <a class="button" href={paths.settings}>
          {words.change}
        </a>
      </p>
    </>
  );
}
