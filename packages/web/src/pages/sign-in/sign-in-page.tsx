import type { ComponentChildren, VNode } from 'preact';
import { TallybookClientError } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import { usePage } from '../../page-context.js';
import { Mark } from '../../parts/icon.js';
import { useTask } from '../../parts/use-requests.js';
import { wordsOfFailure, type WordsByCode } from '../../parts/words.js';
import { keepPlace, type SessionInfo } from '../../state/access.js';
import { providerTexts, type ProviderTexts } from '../../texts/topics/provider.js';
import { SecretField } from '../../parts/form/secret-field.js';
import { Dialog, Form } from '../../parts/form/dialog.js';
import { Failure, lazy } from '../../parts/placeholders.js';
import { signInTexts } from '../../texts/topics/sign-in.js';
import { Button } from '../../parts/button.js';

/** The frame of the pages before signing in: it has no links. */
export function FrontDoor({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): VNode {
  const { texts, session } = usePage();
  const { state } = session.connection.current.value;
  return (
    <div class="front-door" data-state={state}>
      <p class="brand">
        <Mark />
        {texts.app.name}
      </p>
      <h1>{title}</h1>
      {children}
    </div>
  );
}

/** A button to the identity provider, if there is one. Also shows why somebody who came from there was refused. */
function ProviderButton(): VNode | null {
  const { access, client, texts, words } = usePage(providerTexts);
  const label = access.info.value?.provider ?? '';
  const { errorOf, isBusy, run } = useTask({ IDENTITY_UNAVAILABLE: words.away(label) });
  const { value: refusal } = access.refusal;
  if (label === '') return null;
  const go = (): Promise<boolean> =>
    run(async () => {
      const { url } = await client.post('/api/session/provider');
      keepPlace(window);
      location.assign(url);
    });
  return (
    <div class="stack">
      <Failure
        text={
          errorOf() ??
          (refusal === undefined ? '' : wordsOfFailure(refusal, texts, wordsOf(refusal, words, label)))
        }
      />
      <div class="actions">
        <Button isDisabled={isBusy.value} onClick={() => void go()}>
          {words.signIn(label)}
        </Button>
      </div>
    </div>
  );
}

function wordsOf(refusal: unknown, words: ProviderTexts, label: string): WordsByCode {
  const subject = refusal instanceof TallybookClientError ? refusal.subject : undefined;
  return {
    IDENTITY_UNAVAILABLE: words.away(label),
    IDENTITY_REFUSED: words.refused(label),
    IDENTITY_UNKNOWN: words.unknown(label, subject ?? ''),
    LAST_ADMIN: words.lastAdmin(label),
  };
}

const PasskeySignIn = lazy(() => import('../system-pages.js'), 'PasskeySignIn');

/** Name and password. */
function SignInForm({
  name: known = '',
  onSignedIn,
}: {
  /** The user who has to sign in; absent if anybody may. */
  readonly name?: string;
  readonly onSignedIn: (info: SessionInfo) => void;
}): VNode {
  const { access, client, texts, words } = usePage(signInTexts);
  const name = useSignal(known);
  const password = useSignal('');
  const task = useTask({ SIGN_IN_REFUSED: words.wrong });
  const submit = async (): Promise<void> => {
    if (name.value.trim() === '') task.fail(words.nameMissing, 'name');
    else if (password.value === '') task.fail(words.passwordMissing, 'password');
    else
      await task.run(async () => {
        const info = await client.post('/api/session', {
          body: { name: name.value.trim(), password: password.value },
        });
        password.value = '';
        onSignedIn(info);
      });
  };
  return (
    <div class="stack">
      <Form task={task} label={texts.access.signIn} onSubmit={submit}>
        <SecretField
          label={words.name}
          value={name}
          purpose="username"
          autoFocus={known === ''}
          error={task.errorOf('name')}
        />
        <SecretField
          label={words.password}
          value={password}
          purpose="current-password"
          autoFocus={known !== ''}
          error={task.errorOf('password')}
        />
      </Form>
      {access.info.value?.hasPasskeys === true && <PasskeySignIn onSignedIn={onSignedIn} />}
      <p class="quiet field-hint">{words.forgotten}</p>
      <ProviderButton />
    </div>
  );
}

/** Signs in again, in a dialog above a form that somebody is typing into. */
export function SignInDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const { access, texts } = usePage();
  return (
    <Dialog title={texts.access.goOn} onClose={onClose}>
      <SignInForm
        name={access.info.value?.user?.name ?? ''}
        onSignedIn={(info) => {
          access.take(info);
          onClose();
        }}
      />
    </Dialog>
  );
}

/** For people who are not signed in. The address stays, so that signing in leads to the wanted page. */
export function SignInPage(): VNode {
  const { access, texts, words } = usePage(signInTexts);
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
