import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePage } from '../page-context.js';
import { Field } from './form/field.js';
import { Answered } from './placeholders.js';
import type { Asked } from './use-requests.js';
import { Button } from './button.js';

export interface Column<T> {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Order of two rows. Absent if the table cannot be sorted by this column. */
  readonly compare?: (one: T, other: T) => number;
  /** Whether its cells are the headers of their rows. */
  readonly isHeader?: boolean;
}

interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

interface TableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Key of the column that sorts the rows at first; without it, they stay in their order. */
  readonly sortedBy?: string;
  readonly isDescending?: boolean;
  readonly classOf?: ((row: T) => string) | undefined;
}

/** Number of rows that are drawn and removed together. */
const CHUNK_ROWS = 50;
/** How far outside the screen rows are already drawn, so that nobody sees them appear. */
const MARGIN = '1200px 0px';
/**
 * Assumed height of rows that were never drawn, in pixels. It is rather too large: if rows made the page longer while somebody
 * scrolls, the end would not be reached.
 */
const ROW_PX = 60;

type RowProps<T> = Pick<TableProps<T>, 'columns' | 'rows' | 'keyOf' | 'classOf'>;

/** The rows of a table, in their order. */
function TableBody<T>({ rows, ...props }: RowProps<T>): VNode {
  if (rows.length <= CHUNK_ROWS) {
    return (
      <tbody>
        <Rows rows={rows} before={0} {...props} />
      </tbody>
    );
  }
  return <Chunks rows={rows} {...props} />;
}

function Chunks<T>({ rows, ...props }: RowProps<T>): VNode {
  const isPrinting = useIsPrinting();
  const starts = Array.from({ length: Math.ceil(rows.length / CHUNK_ROWS) }, (_, n) => n * CHUNK_ROWS);
  return (
    <>
      {starts.map((start) => (
        <Chunk
          key={start}
          rows={rows.slice(start, start + CHUNK_ROWS)}
          before={start}
          isPrinting={isPrinting}
          {...props}
        />
      ))}
    </>
  );
}

/** Some rows, drawn while they are near the screen; else a gap of their height. */
function Chunk<T>(props: RowProps<T> & { readonly before: number; readonly isPrinting: boolean }): VNode {
  const { rows, before, columns, isPrinting } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const isNear = useSignal(before === 0);
  const height = useRef<number | undefined>(undefined);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (entry === undefined || entry.isIntersecting === isNear.peek()) return;
        // Rows with the keyboard focus stay.
        if (isNear.peek() && body.current?.contains(document.activeElement) === true) return;
        if (isNear.peek()) height.current = entry.boundingClientRect.height;
        isNear.value = entry.isIntersecting;
      },
      { rootMargin: MARGIN },
    );
    if (body.current !== null) observer.observe(body.current);
    return () => observer.disconnect();
  }, []);
  const isDrawn = isNear.value || isPrinting;
  return (
    <tbody ref={body} aria-hidden={isDrawn ? undefined : 'true'}>
      {isDrawn ? (
        <Rows {...props} />
      ) : (
        <tr class="gap" style={{ height: `${height.current ?? rows.length * ROW_PX}px` }}>
          <td colSpan={columns.length} />
        </tr>
      )}
    </tbody>
  );
}

/** Whether the page is being printed: paper has all rows. */
function useIsPrinting(): boolean {
  const [isPrinting, print] = useState(false);
  useEffect(() => {
    const change = ({ type }: Event): void => print(type === 'beforeprint');
    addEventListener('beforeprint', change);
    addEventListener('afterprint', change);
    return () => {
      removeEventListener('beforeprint', change);
      removeEventListener('afterprint', change);
    };
  }, []);
  return isPrinting;
}

function Rows<T>({
  columns,
  rows,
  before,
  keyOf,
  classOf,
}: RowProps<T> & { readonly before: number }): VNode {
  return (
    <>
      {rows.map((row, index) => (
        <tr key={keyOf(row)} class={classOf?.(row)} aria-rowindex={before + index + 2}>
          {columns.map(({ key, label, cell, isHeader }) =>
            isHeader === true ? (
              <th key={key} scope="row">
                {cell(row)}
              </th>
            ) : (
              <td key={key} data-label={label} data-column={key}>
                {cell(row)}
              </td>
            ),
          )}
        </tr>
      ))}
    </>
  );
}

/** A table with at least this many columns becomes cards on a tablet too. */
const WIDE_FROM = 6;

/**
 * A table with headings that sort it. Only rows near the screen are drawn, so that ten thousand rows are fast. On a
 * narrow screen each row becomes a card, with the headings beside the values.
 */
export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
  sortedBy = '',
  isDescending = false,
  classOf,
}: TableProps<T>): VNode {
  const sorting = useSignal<Sorting>({ key: sortedBy, isDescending });
  const { value: by } = sorting;
  const sorted = useMemo(() => {
    const compare = columns.find(({ key }) => key === by.key)?.compare;
    const factor = by.isDescending ? -1 : 1;
    return compare === undefined ? rows : [...rows].sort((a, b) => factor * compare(a, b));
    // Columns are other ones at each drawing, but compare as before.
  }, [rows, by]);
  return (
    <table
      class={columns.length < WIDE_FROM ? 'cards' : 'cards cards-wide'}
      aria-rowcount={sorted.length + 1}
    >
      <caption class="only-read">{caption}</caption>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <Heading key={column.key} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <TableBody columns={columns} rows={sorted} keyOf={keyOf} classOf={classOf} />
    </table>
  );
}

function Heading<T>({
  column: { key, label, compare },
  sorting,
}: {
  readonly column: Column<T>;
  readonly sorting: Signal<Sorting>;
}): VNode {
  const { key: sortedBy, isDescending } = sorting.value;
  const isSorted = key === sortedBy;
  if (compare === undefined) {
    return (
      <th scope="col" data-column={key}>
        {label}
      </th>
    );
  }
  return (
    <th
      scope="col"
      data-column={key}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <Button class="sort" onClick={() => (sorting.value = { key, isDescending: isSorted && !isDescending })}>
        {label}
      </Button>
    </th>
  );
}

/** An answer of the service as a table; other content if it has no rows. */
export function AnsweredTable<T>({
  asked,
  empty,
  ...table
}: Omit<TableProps<T>, 'rows'> & {
  readonly asked: Asked<readonly T[]>;
  readonly empty: VNode;
}): VNode {
  return (
    <Answered asked={asked}>
      {(rows) => (rows.length === 0 ? empty : <Table {...table} rows={rows} />)}
    </Answered>
  );
}

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
      <Field label={label} type="search" value={search} />
      <p class="quiet" role="status">
        {search.value === '' ? '' : texts.today.found(found)}
      </p>
    </>
  );
}
