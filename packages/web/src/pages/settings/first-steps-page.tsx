import { useSignal, type Signal } from '@preact/signals';
import type { Settings } from '@tallybook/client';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { Mark } from '../../parts/icon.js';
import { Failure, PageHead } from '../../parts/placeholders.js';
import { useTask } from '../../parts/use-requests.js';
import { paths } from '../../routing.js';
import { leaveFirstSteps } from '../../state/first-steps.js';
import { SettingsForm } from '../../state/settings.js';
import { settingsTexts } from '../../texts/topics/settings.js';
import { browserZone } from './day-fields.js';
import { Radios } from './radios.js';
import { Restart } from './restart.js';
import { SettingsFields } from './settings-fields.js';
import { useSettings, WithSettings } from './use-settings.js';

/** Where the first people come from, and the page for it. */
const PEOPLE = { import: paths.import, enrol: paths.enrolment, later: paths.today } as const;
type PeopleSource = keyof typeof PEOPLE;

/** Everything that has to be asked after an installation, in one form. */
export function FirstStepsPage(): VNode {
  const { address, session, texts, words } = usePage(settingsTexts);
  const asked = useSettings();
  const saved = useSignal<Settings | undefined>(undefined);
  const source = useSignal<PeopleSource>('later');
  const { state } = session.connection.current.value;
  const goOn = (): void => {
    leaveFirstSteps(session.store);
    address.replace(PEOPLE[source.peek()]);
  };
  const take = (settings: Settings): void => {
    if (settings.needsRestart) saved.value = settings;
    else goOn();
  };
  return (
    <div class="settings-page" data-state={state}>
      <p class="brand">
        <Mark />
        {texts.app.name}
      </p>
      {saved.value === undefined ? (
        <>
          <PageHead title={words.firstTitle} hint={words.firstHint} />
          <WithSettings asked={asked}>
            {(settings) => <Questions settings={settings} source={source} onSaved={take} onLater={goOn} />}
          </WithSettings>
        </>
      ) : (
        <>
          <PageHead title={saved.value.canRestart ? words.restarting : words.saved} />
          <Restart settings={saved.value} onDone={goOn} />
        </>
      )}
    </div>
  );
}

function Questions({
  settings,
  source,
  onSaved,
  onLater,
}: {
  readonly settings: Settings;
  readonly source: Signal<PeopleSource>;
  readonly onSaved: (settings: Settings) => void;
  readonly onLater: () => void;
}): VNode {
  const { client, toasts, words } = usePage(settingsTexts);
  const [form] = useState(() => new SettingsForm(settings, browserZone()));
  const skipping = useTask();
  const sources = Object.keys(PEOPLE) as readonly PeopleSource[];
  const later = (): void => {
    toasts.done(words.askedLater);
    onLater();
  };
  const skip = async (): Promise<void> => {
    if (await skipping.run(() => client.put('/api/settings', { body: {} }))) onLater();
  };
  return (
    <>
      <SettingsFields form={form} settings={settings} isFirst label={words.save} onSaved={onSaved}>
        <Card title={words.people}>
          <p class="quiet">{words.peopleHint}</p>
          <Radios
            name="people"
            legend={words.people}
            value={source.value}
            options={sources.map((each) => [each, words.peopleChoice[each]])}
            onChoose={(value) => (source.value = value as PeopleSource)}
          />
        </Card>
      </SettingsFields>
      <div class="actions settings-later">
        <Button class="button-plain" onClick={later}>
          {words.askLater}
        </Button>
        <Button class="button-plain" isDisabled={skipping.isBusy.value} onClick={() => void skip()}>
          {words.skip}
        </Button>
      </div>
      <Failure text={skipping.errorOf()} />
    </>
  );
}
