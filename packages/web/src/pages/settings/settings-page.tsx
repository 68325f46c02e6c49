import { useSignal } from '@preact/signals';
import type { Settings } from '@tallybook/client';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { PageHead } from '../../parts/placeholders.js';
import { paths } from '../../routing.js';
import { SettingsForm } from '../../state/settings.js';
import { settingsTexts } from '../../texts/topics/settings.js';
import { Restart } from './restart.js';
import { SettingsFields } from './settings-fields.js';
import { useSettings, WithSettings } from './use-settings.js';

/** Changes the settings after the first steps. */
export function SettingsPage(): VNode {
  const { address, toasts, words } = usePage(settingsTexts);
  const asked = useSettings();
  const saved = useSignal<Settings | undefined>(undefined);
  const finish = (): void => {
    toasts.done(words.areSaved);
    address.replace(paths.system);
  };
  const take = (settings: Settings): void => {
    if (settings.needsRestart) saved.value = settings;
    else finish();
  };
  if (saved.value !== undefined)
    return (
      <>
        <PageHead title={saved.value.canRestart ? words.restarting : words.saved} />
        <Restart settings={saved.value} onDone={finish} />
      </>
    );
  return (
    <div class="settings-page">
      <PageHead title={words.title} hint={words.hint} />
      <WithSettings asked={asked}>{(settings) => <Change settings={settings} onSaved={take} />}</WithSettings>
    </div>
  );
}

function Change({
  settings,
  onSaved,
}: {
  readonly settings: Settings;
  readonly onSaved: (settings: Settings) => void;
}): VNode {
  const { words } = usePage(settingsTexts);
  const [form] = useState(() => new SettingsForm(settings));
  return (
    <SettingsFields
      form={form}
      settings={settings}
      isFirst={false}
      label={settings.canRestart ? words.saveLater : words.saveOnly}
      isReady={settings.needsRestart || Object.keys(form.changes()).length > 0}
      onSaved={onSaved}
    />
  );
}
