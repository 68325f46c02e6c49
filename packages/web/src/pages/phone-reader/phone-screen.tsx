import type { ComponentChildren, VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { AnswerSign, type Answer } from '../../parts/answer-sign.js';
import { Icon } from '../../parts/icon.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { paths } from '../../routing/paths.js';
import { phoneReaderTexts } from '../../texts/topics/phone-reader.js';

/** The frame of the phone's screen: large, because the phone may hang on a wall. */
export function Screen({
  answer,
  footer,
  children,
}: {
  readonly answer?: Answer | 'idle';
  readonly footer?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  const { session, texts } = usePage();
  const words = useTopic(phoneReaderTexts);
  return (
    <div class="kiosk" data-answer={answer ?? 'idle'} data-state={session.connection.current.value.state}>
      <header />
      <div class="kiosk-answer" role="status" data-title={words.title}>
        <div>
          <AnswerSign answer={answer ?? 'idle'} />
          {children}
        </div>
      </div>
      <footer>
        {footer}
        <a href={paths.today} class="kiosk-leave" aria-label={texts.app.backToToday}>
          <Icon name="close" />
        </a>
      </footer>
    </div>
  );
}
