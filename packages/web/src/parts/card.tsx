import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';

/** State that a card shows in words, with a colour beside them. */
export type Health = 'good' | 'odd' | 'bad';

/** A part of a page with a heading and, below it, its state. */
export function Card({
  title,
  health,
  says,
  children,
}: {
  readonly title: string;
  readonly health?: Health;
  readonly says?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  const heading = useId();
  return (
    <section class="card" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {says === undefined ? undefined : (
        <p class="health" data-health={health}>
          {says}
        </p>
      )}
      {children}
    </section>
  );
}

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
