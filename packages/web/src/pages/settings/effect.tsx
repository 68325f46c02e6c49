import type { VNode } from 'preact';

/** What a change will do, announced before it is saved. */
export function Effect({ text }: { readonly text: string | undefined }): VNode {
  return <div role="status">{text !== undefined && <p class="notice">{text}</p>}</div>;
}
