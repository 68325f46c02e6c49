import type { Signal } from '@preact/signals';
import type { Ref, VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { peopleTexts } from '../../texts/topics/people.js';
import type { TypedTag } from '../use-tag.js';
import { groupedId, seenWords } from '../words.js';
import { Field, type FieldProps } from './field.js';
import { Button } from '../button.js';

const MAX_LENGTH = 100;

/** First and last name, side by side where there is room. */
export function NameFields({
  first,
  last,
  error,
  onInput,
  autoFocus = false,
  firstRef,
  lastRef,
}: {
  readonly first: Signal<string>;
  readonly last: Signal<string>;
  readonly error: string | undefined;
  readonly onInput: () => void;
  readonly autoFocus?: boolean;
  readonly firstRef?: Ref<HTMLInputElement>;
  readonly lastRef?: Ref<HTMLInputElement>;
}): VNode {
  const { words } = usePage(peopleTexts);
  return (
    <div class="name-fields">
      <Field
        label={words.first}
        value={first}
        hint={words.nameHint}
        error={error}
        maxLength={MAX_LENGTH}
        autoFocus={autoFocus}
        onInput={onInput}
        inputRef={firstRef}
      />
      <Field label={words.last} value={last} maxLength={MAX_LENGTH} onInput={onInput} inputRef={lastRef} />
    </div>
  );
}

/** A field for the number of a tag. It shows which tag is meant, and lets a person choose if it may be several. */
export function TagField({ tag, ...props }: FieldProps & { readonly tag: TypedTag | undefined }): VNode {
  const { texts, formats, words: people } = usePage(peopleTexts);
  const readings = tag?.readings ?? [];
  return (
    <>
      <Field {...props} />
      <div role="status" class="stack">
        {readings.length > 1 && <p>{people.tagWhich}</p>}
        {readings.map(({ id, format, name, lastSeen }) => {
          const words = [
            `${format === 'hex' ? '' : `${format} = `}${groupedId(id)}`,
            name === null ? '' : formats.name(name),
            lastSeen === null ? '' : seenWords(lastSeen, texts, formats),
          ]
            .filter((each) => each !== '')
            .join(', ');
          if (readings.length === 1)
            return groupedId(id) !== props.value.value && <p class="quiet">{words}</p>;
          return (
            <Button key={id} onClick={() => (props.value.value = groupedId(id))}>
              {words}
            </Button>
          );
        })}
      </div>
    </>
  );
}
