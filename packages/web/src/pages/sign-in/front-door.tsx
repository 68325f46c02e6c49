import type { ComponentChildren, VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Mark } from '../../parts/mark.js';

/** The frame of the pages before signing in: it has no links. */
export function FrontDoor({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): VNode {
  const { texts, session } = usePage();
  const { state } = session.connection.current.value;
  return (
    <div class="front-door" data-state={state}>
      <p class="brand">
        <Mark />
        {texts.app.name}
      </p>
      <h1>{title}</h1>
      {children}
    </div>
  );
}
