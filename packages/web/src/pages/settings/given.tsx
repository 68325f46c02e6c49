import type { ComponentChildren, VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { settingsTexts } from '../../texts/topics/settings.js';

/** A setting that the file of the device gives: it is shown, and not changed here. */
export function Given({
  label,
  value,
}: {
  readonly label: string;
  readonly value: ComponentChildren;
}): VNode {
  const { words } = usePage(settingsTexts);
  return (
    <dl class="facts">
      <div>
        <dt>{label}</dt>
        <dd>
          <strong>{value === '' ? words.notSet : value}</strong>
          <p class="quiet field-hint">{words.given}</p>
        </dd>
      </div>
    </dl>
  );
}
