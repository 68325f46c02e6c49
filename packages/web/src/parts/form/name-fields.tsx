import type { Signal } from '@preact/signals';
import type { Ref, VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Field } from './field.js';

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
  const { texts } = usePage();
  const take = (part: Signal<string>) => (value: string) => {
    part.value = value;
    onInput();
  };
  return (
    <div class="name-fields">
      <Field
        label={texts.names.first}
        value={first.value}
        error={error}
        maxLength={MAX_LENGTH}
        autoFocus={autoFocus}
        onInput={take(first)}
        {...(firstRef !== undefined && { inputRef: firstRef })}
      />
      <Field
        label={texts.names.last}
        value={last.value}
        maxLength={MAX_LENGTH}
        onInput={take(last)}
        {...(lastRef !== undefined && { inputRef: lastRef })}
      />
    </div>
  );
}
