import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TableProps } from './table-props.js';

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
export function TableBody<T>({ rows, ...props }: RowProps<T>): VNode {
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
