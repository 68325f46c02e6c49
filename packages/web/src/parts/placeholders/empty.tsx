import type { ComponentChildren, VNode } from 'preact';

/** Says that there is nothing, and what will change that. */
export function Empty({
  title,
  hint,
  isPage = false,
  children,
}: {
  readonly title: string;
  readonly hint: string;
  /** Whether the page shows nothing else, so that this title is the page's. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <div class="empty">
      {isPage ? <h1>{title}</h1> : <p class="empty-title">{title}</p>}
      <p class="quiet">{hint}</p>
      {children}
    </div>
  );
}
