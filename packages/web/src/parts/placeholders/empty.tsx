import type { ComponentChildren, VNode } from 'preact';

/** Where there is nothing: says so, and what will bring something. */
export function Empty({
  title,
  hint,
  isPage = false,
  children,
}: {
  readonly title: string;
  readonly hint: string;
  /** Whether it is all there is on the page, so that its title is the page's. */
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
