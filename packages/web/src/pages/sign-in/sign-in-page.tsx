import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { signInTexts } from '../../texts/topics/sign-in.js';
import { FrontDoor } from './front-door.js';
import { SignInForm } from './sign-in-form.js';

/** For people who are not signed in. The address stays, so that signing in leads to the wanted page. */
export function SignInPage(): VNode {
  const { access, texts } = usePage();
  const words = useTopic(signInTexts);
  return (
    <FrontDoor title={texts.access.signIn}>
      {access.hasEnded.value && (
        <p class="notice" role="status">
          {words.ended}
        </p>
      )}
      <SignInForm onSignedIn={(info) => access.take(info)} />
    </FrontDoor>
  );
}
