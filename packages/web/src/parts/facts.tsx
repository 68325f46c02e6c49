import type { ComponentChildren, VNode } from 'preact';

/** What is known, by its label. What is `undefined` is left out. */
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
