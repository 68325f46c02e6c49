import { useSignal } from '@preact/signals';
import type { Settings } from '@tallybook/client';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Card } from '../../parts/card.js';
import { Field } from '../../parts/form/field.js';
import { Form } from '../../parts/form/dialog.js';
import { Loading } from '../../parts/placeholders.js';
import { useAnswer, useTask } from '../../parts/use-requests.js';
import { refusedSetting, type SettingsForm } from '../../state/settings.js';
import { settingsTexts } from '../../texts/topics/settings.js';
import type { Words } from '../../texts/language.js';
import { BackupChoice } from './backup-choice.js';
import { DayFields } from './day-fields.js';
import { Given } from './given.js';
import { KeepFields } from './keep-fields.js';
import { ReaderChoice } from './reader-choice.js';

const NAME_MAX_LENGTH = 80;

/** The form with every setting. It is saved as a whole, or not at all. */
export function SettingsFields({
  form,
  settings,
  isFirst,
  label,
  isReady = true,
  onSaved,
  children,
}: {
  readonly form: SettingsForm;
  readonly settings: Settings;
  /** Whether nobody has chosen anything before. */
  readonly isFirst: boolean;
  readonly label: string;
  readonly isReady?: boolean;
  readonly onSaved: (settings: Settings) => void;
  /** Other questions, before that for backups. */
  readonly children?: ComponentChildren;
}): VNode {
  const { client, words } = usePage(settingsTexts);
  const task = useTask({ SETTING_FIXED: words.fixed });
  const places = useAnswer((signal) => client.get('/api/settings/backup-places', { signal }), []);
  const refused = useSignal<string | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The field may be far above the button.
    if (refused.value === undefined) return;
    const field = box.current?.querySelector<HTMLElement>(`[data-setting~="${refused.value}"]`);
    field?.scrollIntoView({ block: 'center' });
    field?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused.value]);
  const save = (): Promise<unknown> => {
    refused.value = undefined;
    return task.run(async () => {
      try {
        onSaved(await client.put('/api/settings', { body: form.changes() }));
      } catch (error) {
        const name = refusedSetting(error);
        const said = (words.invalid as Words)[name ?? ''];
        if (said === undefined) throw error;
        task.fail(said, name);
        refused.value = name;
      }
    });
  };
  return (
    <div ref={box} class="settings-form">
      <Form task={task} label={label} isReady={isReady} onSubmit={save}>
        <div data-setting="name">
          <Card title={words.place}>
            {form.isGiven('name') ? (
              <Given label={words.placeName} value={form.name.value} />
            ) : (
              <Field
                label={words.placeName}
                hint={words.placeHint}
                value={form.name}
                maxLength={NAME_MAX_LENGTH}
                error={task.errorOf('name')}
              />
            )}
          </Card>
        </div>
        <div data-setting="zone dayStart">
          <Card title={words.time}>
            <DayFields
              form={form}
              systemZone={settings.systemZone}
              errorOf={task.errorOf}
              showsEffect={!isFirst}
            />
          </Card>
        </div>
        <div data-setting="readers">
          <Card title={words.readers}>
            <ReaderChoice form={form} error={task.errorOf('readers')} />
          </Card>
        </div>
        {children}
        <div data-setting="backup">
          <Card title={words.backup}>
            <p class="quiet">{words.backupHint}</p>
            {places.value === undefined && !places.isMissing ? (
              <Loading />
            ) : (
              <BackupChoice
                form={form}
                places={places.value ?? []}
                error={task.errorOf('backup')}
                isFirst={isFirst}
              />
            )}
          </Card>
        </div>
        <Card title={words.keeping}>
          <p class="quiet">{words.keepHint}</p>
          <KeepFields form={form} />
        </Card>
      </Form>
    </div>
  );
}
