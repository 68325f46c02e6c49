import type { ComponentChildren, VNode } from 'preact';

/** A list of facts with labels. A fact that is `undefined` is left out. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [label: string, value: ComponentChildren])[];
}): VNode {
  return (
    <dl class="facts">
      {facts.map(([label, value]) =>
        value === undefined ? undefined : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
