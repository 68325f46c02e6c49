import type { ComponentChildren, VNode } from 'preact';

/** Says that there is no data, and how to get some. */
export function Empty({
  title,
  hint,
  isPage = false,
  children,
}: {
  readonly title: string;
  readonly hint: string;
  /** Whether the page shows nothing else, so that this is the title of the page. */
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
