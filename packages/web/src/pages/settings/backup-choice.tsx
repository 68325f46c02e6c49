import { useSignal } from '@preact/signals';
import type { BackupPlace } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Field } from '../../parts/form/field.js';
import type { SettingsForm } from '../../state/settings.js';
import { settingsTexts } from '../../texts/topics/settings.js';
import { Effect } from './effect.js';
import { Given } from './given.js';
import { Radios } from './radios.js';

const OWN = 'own';

/** The folder for backups on a mounted stick or disk. */
function folderAt({ path }: BackupPlace): string {
  return `${path.replace(/\/$/, '')}/tallybook`;
}

/** Where backups are written: on a stick or disk that is there, in a folder by its path, or nowhere. */
export function BackupChoice({
  form,
  places,
  error,
  isFirst,
}: {
  readonly form: SettingsForm;
  readonly places: readonly BackupPlace[];
  readonly error: string | undefined;
  readonly isFirst: boolean;
}): VNode {
  const { formats, words } = usePage(settingsTexts);
  const { value } = form.backup;
  const [stick] = places;
  const saved = form.textOf('backup');
  const isProposed = (folder: string): boolean => places.some((place) => folderAt(place) === folder);
  const isOwn = useSignal(value !== '' && !isProposed(value));
  if (form.isGiven('backup')) return <Given label={words.folder} value={value} />;
  const choose = (chosen: string): void => {
    isOwn.value = chosen === OWN;
    // The folder that is saved is one to begin with.
    form.backup.value = chosen === OWN ? (isProposed(saved) ? '' : saved) : chosen;
  };
  return (
    <>
      <Radios
        name="backup"
        legend={words.backup}
        value={isOwn.value ? OWN : value}
        options={[
          ...places.map((place) => {
            const more = [words.freeSpace(formats.bytes(place.freeBytes))];
            if (place.isRemovable) more.unshift(words.removable);
            return [
              folderAt(place),
              <>
                <code class="id">{folderAt(place)}</code>
                <span class="quiet field-hint">{more.join(', ')}</span>
              </>,
            ] as const;
          }),
          [
            OWN,
            places.length === 0 ? words.anyFolder : words.ownFolder,
            isOwn.value && (
              <div class="below-check">
                <Field
                  label={words.folder}
                  value={form.backup}
                  hint={words.folderHint(stick === undefined ? '/mnt/backup' : folderAt(stick))}
                  error={error}
                />
              </div>
            ),
          ],
          ['', isFirst ? words.noBackup : words.noBackupNow],
        ]}
        onChoose={choose}
      />
      {!isOwn.value && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      <Effect text={!isFirst && saved !== '' && value !== saved ? words.effect.backup : undefined} />
    </>
  );
}
