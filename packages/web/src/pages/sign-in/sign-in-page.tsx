import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { signInTexts } from '../../texts/topics/sign-in.js';
import { FrontDoor } from './front-door.js';
import { SignInForm } from './sign-in-form.js';

/** For somebody who is not signed in. The address stays, so afterwards they are where they wanted to be. */
export function SignInPage(): VNode {
  const { access } = usePage();
  const texts = useTopic(signInTexts);
  return (
    <FrontDoor title={texts.title}>
      {access.hasEnded.value && (
        <p class="notice" role="status">
          {texts.ended}
        </p>
      )}
      <SignInForm onSignedIn={(info) => access.take(info)} />
    </FrontDoor>
  );
}
