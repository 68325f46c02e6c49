import { signal, type ReadonlySignal } from '@preact/signals';
import { TallybookClientError, type Session, type TallybookClient } from '@tallybook/client';

/**
 * Key of the address that the browser keeps while somebody is at the identity provider, since the provider sends the browser back
 * without the part after `#`.
 */
const PLACE = 'tallybook:place';

type Surroundings = Pick<Window, 'location' | 'history' | 'sessionStorage'>;

/**
 * Takes the answer of the identity provider out of the address and the history. Then the page has its earlier address.
 *
 * @returns The query; `undefined` if it is no answer of a provider.
 */
export function takeProviderAnswer(window: Surroundings): string | undefined {
  const { search, pathname } = window.location;
  const parameters = new URLSearchParams(search);
  if (!parameters.has('state') || !(parameters.has('code') || parameters.has('error'))) return undefined;
  window.history.replaceState(null, '', pathname + placeBefore(window));
  return search.slice(1);
}

/** Keeps the address of the page, for this tab. */
export function keepPlace(window: Surroundings): void {
  try {
    window.sessionStorage.setItem(PLACE, window.location.hash);
  } catch {
    // Without storage the way back leads to the first page.
  }
}

function placeBefore(window: Surroundings): string {
  try {
    const place = window.sessionStorage.getItem(PLACE) ?? '';
    window.sessionStorage.removeItem(PLACE);
    return place.startsWith('#/') ? place : '';
  } catch {
    return '';
  }
}

const EVERYBODY = ['kiosk', 'viewer', 'desk', 'admin'];
const READERS = ['viewer', 'desk', 'admin'];
const DESK = ['desk', 'admin'];
const ADMIN = ['admin'];

/**
 * The roles of people that may do the action of a page. Only the service decides; the list shows whom to ask.
 *
 * @see `permissions` of the domain, which a test compares.
 */
const rolesByAction: Readonly<Record<string, readonly string[]>> = {
  'see-today': EVERYBODY,
  'see-record': READERS,
  'see-service': READERS,
  'push-readings': ['device', 'kiosk', 'desk', 'admin'],
  'change-names': DESK,
  'manage-personal-data': ADMIN,
  'manage-access': ADMIN,
  'see-audit': ADMIN,
  'manage-settings': ADMIN,
};

/** @returns The names of the roles as in the service; none for an action that no page needs. */
export function rolesFor(action: string): readonly string[] {
  return rolesByAction[action] ?? [];
}

/** Who is looking at the page, and what they may do. */
export type SessionInfo = Session;

/** The requests of the session, so that a test can replace them. */
export function accessServiceOf(client: TallybookClient) {
  return {
    readSession: () => client.get('/api/session'),
    signOut: () => client.delete('/api/session'),
    finishAtProvider: (answer: string) => client.post('/api/session/provider/answer', { body: { answer } }),
  };
}

type AccessService = ReturnType<typeof accessServiceOf>;

/** The session of a page that a device app serves without users. */
const WITHOUT_USERS: SessionInfo = {
  access: 'open',
  user: null,
  groups: [],
  actions: [
    'see-today',
    'see-record',
    'see-service',
    'change-names',
    'add-guests',
    'export-record',
    'back-up',
    'set-time',
    'remove-days',
  ],
  isInsecure: false,
  expiresAt: null,
  provider: null,
  hasPasskeys: false,
};
/** How many seconds before the end of a session the page warns. */
const WARN_S = 600;
/** Minimum time between two checks of a session that is about to end, in milliseconds: it may have been renewed. */
const LOOK_MS = 30_000;

/** Who is looking at the page, and what they may do. */
export class Access {
  private readonly service: AccessService;
  private readonly nowMs: () => number;
  private readonly told = signal<SessionInfo | undefined>(undefined);
  private readonly lost = signal(false);
  private readonly refused = signal<unknown>(undefined);
  private asking: Promise<void> | undefined;
  private lookedMs = -Infinity;
  /** Called when a session has ended: its data must no longer be seen. */
  onLost: () => void = () => undefined;
  /** Called when somebody has signed in. */
  onSignedIn: () => void = () => undefined;
  /** `undefined` before the service has answered. */
  readonly info: ReadonlySignal<SessionInfo | undefined> = this.told;
  /** Whether a session has ended by its time. */
  readonly hasEnded: ReadonlySignal<boolean> = this.lost;
  /** The error of somebody who comes from the identity provider and is refused. */
  readonly refusal: ReadonlySignal<unknown> = this.refused;

  constructor(service: AccessService, nowMs: () => number) {
    this.service = service;
    this.nowMs = nowMs;
  }

  /**
   * Whether an action is allowed. True before the service has answered, since the service itself refuses forbidden
   * actions.
   */
  may(action: string): boolean {
    return includes(this.told.value, action);
  }

  /** Like {@link may}, for callers that need no redraw when the answer changes. */
  mayNow(action: string): boolean {
    return includes(this.told.peek(), action);
  }

  /** Whether the user sees and changes only persons of some groups. */
  isBound(): boolean {
    return (this.told.value?.groups.length ?? 0) > 0;
  }

  /** Whether the service has users, corrections and health, which a device app may not have. */
  isManaged(): boolean {
    return this.told.value !== undefined && this.told.value !== WITHOUT_USERS;
  }

  /** Asks for the session. Calls meanwhile get the same answer. */
  async load(): Promise<void> {
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  /** Asks again while somebody has to sign in here: they may have done so in another tab. */
  async lookAgain(): Promise<void> {
    await this.load();
    if (this.isOutside()) return;
    this.lost.value = false;
    this.onSignedIn();
  }

  /** Call it when the service has refused a request because nobody is signed in. */
  noteRefusal(): void {
    if (this.told.peek() !== undefined && !this.isOutside()) void this.load();
  }

  /** Takes the answer to a sign-in. */
  take(info: SessionInfo): void {
    this.told.value = info;
    this.lost.value = false;
    this.refused.value = undefined;
    this.onSignedIn();
  }

  /** Signs in with the answer of the identity provider. */
  async arrive(answer: string): Promise<void> {
    try {
      this.take(await this.service.finishAtProvider(answer));
    } catch (error) {
      this.refused.value = error;
      await this.load();
    }
  }

  /** Ends the session. Rejects if the service fails to do so. */
  async leave(): Promise<void> {
    await this.service.signOut();
    this.onLost();
    await this.load();
    this.lost.value = false;
  }

  /**
   * Seconds until the session ends, if that is soon.
   *
   * @param now By the clock of the service, in seconds since 1970.
   */
  endsIn(now: number): number | undefined {
    const { expiresAt = null } = this.told.value ?? {};
    const left = expiresAt === null ? Infinity : expiresAt - now;
    return left > WARN_S ? undefined : Math.max(0, left);
  }

  /** Call it every few seconds: checks whether a session that is about to end was renewed. */
  beat(now: number): void {
    if (this.endsIn(now) === undefined || this.nowMs() - this.lookedMs < LOOK_MS) return;
    this.lookedMs = this.nowMs();
    void this.load();
  }

  /** Whether the user has to sign in or to set the service up, as the service said. */
  isOutside(): boolean {
    // Every role has at least one action.
    return this.told.peek()?.actions.length === 0;
  }

  private async ask(): Promise<void> {
    const wasSignedIn = this.told.peek() !== undefined && !this.isOutside();
    try {
      this.told.value = await this.service.readSession();
    } catch (error) {
      // While the service cannot be reached, its last answer stays valid.
      if (error instanceof TallybookClientError && error.status === 404) this.told.value = WITHOUT_USERS;
    }
    if (!wasSignedIn || !this.isOutside()) return;
    this.lost.value = true;
    this.onLost();
  }
}

/** Whether a session includes an action; an unknown session includes all. */
function includes(info: SessionInfo | undefined, action: string): boolean {
  return info === undefined || info.actions.some((each) => each === action);
}
