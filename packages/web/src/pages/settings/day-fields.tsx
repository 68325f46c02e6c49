import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Field, Select } from '../../parts/form/field.js';
import type { SettingsForm } from '../../state/settings.js';
import { settingsTexts } from '../../texts/topics/settings.js';
import { Effect } from './effect.js';
import { Given } from './given.js';

/** Time zone of this browser. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Every zone with its words: those that somebody may mean come first. */
function zonesOf(
  chosen: string,
  system: string | null,
  words: Readonly<Record<'browser' | 'system' | 'both', (zone: string) => string>>,
): readonly (readonly [string, string])[] {
  const own = browserZone();
  const zones = new Map<string, string>();
  if (own === system) zones.set(own, words.both(own));
  else {
    zones.set(own, words.browser(own));
    if (system !== null) zones.set(system, words.system(system));
  }
  // Old versions of Safari have no list.
  const all = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : [];
  for (const zone of [chosen, 'UTC', ...all]) if (!zones.has(zone)) zones.set(zone, zone);
  return [...zones];
}

/** When a day begins: in which zone, and at which time. */
export function DayFields({
  form,
  systemZone,
  errorOf,
  showsEffect,
}: {
  readonly form: SettingsForm;
  readonly systemZone: string | null;
  readonly errorOf: (name: string) => string | undefined;
  readonly showsEffect: boolean;
}): VNode {
  const { words } = usePage(settingsTexts);
  const { value: zone } = form.zone;
  const { value: start } = form.dayStart;
  const isChanged = zone !== form.textOf('zone') || 'dayStart' in form.changes();
  return (
    <>
      {form.isGiven('zone') ? (
        <Given label={words.zone} value={zone} />
      ) : (
        <Select
          label={words.zone}
          value={zone}
          options={zonesOf(zone, systemZone, words.zoneOf)}
          error={errorOf('zone')}
          onChoose={(chosen) => (form.zone.value = chosen)}
        />
      )}
      {form.isGiven('dayStart') ? (
        <Given label={words.dayStart} value={start} />
      ) : (
        <Field
          type="time"
          label={words.dayStart}
          value={form.dayStart}
          hint={start === '' || start === '00:00' ? words.midnightHint : words.dayStartHint(start)}
          error={errorOf('dayStart')}
        />
      )}
      <Effect text={showsEffect && isChanged ? words.effect.days(start || '00:00', zone) : undefined} />
    </>
  );
}
