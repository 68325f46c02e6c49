import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Field } from '../form/field.js';

/** A field for searching a table, with the number of found rows, which is also announced. */
export function TableSearch({
  label,
  search,
  found,
}: {
  readonly label: string;
  readonly search: Signal<string>;
  readonly found: number;
}): VNode {
  const { texts } = usePage();
  return (
    <>
      <Field label={label} type="search" value={search.value} onInput={(value) => (search.value = value)} />
      <p class="quiet" role="status">
        {search.value === '' ? '' : texts.today.found(found)}
      </p>
    </>
  );
}
