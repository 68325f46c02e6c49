import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import type { TypedTag } from '../use-typed-tag.js';
import { groupedId } from '../words/grouped-id.js';
import { seenWords } from '../words/seen-words.js';
import { Field, type FieldProps } from './field.js';

/** A field for the number of a tag. It shows which tag is meant, and lets a person choose if it may be several. */
export function TagField({ tag, ...props }: FieldProps & { readonly tag: TypedTag | undefined }): VNode {
  const { texts, formats } = usePage();
  const readings = tag?.readings ?? [];
  return (
    <>
      <Field {...props} />
      <div role="status" class="stack">
        {readings.length > 1 && <p>{texts.names.tagWhich}</p>}
        {readings.map(({ id, format, name, lastSeen }) => {
          const words = [
            `${format === 'hex' ? '' : `${format} = `}${groupedId(id)}`,
            name === null ? '' : formats.name(name),
            lastSeen === null ? '' : seenWords(lastSeen, texts, formats),
          ]
            .filter((each) => each !== '')
            .join(', ');
          if (readings.length === 1) return groupedId(id) !== props.value && <p class="quiet">{words}</p>;
          return (
            <button key={id} type="button" class="button" onClick={() => props.onInput(groupedId(id))}>
              {words}
            </button>
          );
        })}
      </div>
    </>
  );
}
