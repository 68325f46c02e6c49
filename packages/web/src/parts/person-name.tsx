import type { Name } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../page-context.js';

/** The name of a person as in a sorted list, with what tells them apart from others of the name. */
export function PersonName({ name, mark }: { readonly name: Name; readonly mark: string }): VNode {
  const { formats } = usePage();
  return (
    <>
      {formats.listName(name)}
      {mark !== '' && <span class="namesake"> {mark}</span>}
    </>
  );
}
