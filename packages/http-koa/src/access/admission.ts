import type { IncomingMessage } from 'node:http';
import { TallybookError, type Subscription } from '@tallybook/domain';
import {
  anyone,
  mayDo,
  nobody,
  rolesFor,
  type AccessService,
  type Action,
  type Principal,
} from '@tallybook/domain/access';
import type Koa from 'koa';
import { setGatekeeper } from '../held-right.js';
import type { HttpAccessOptions } from './access-options.js';
import { Connections } from './connections.js';
import { requireSameOrigin } from './cross-site.js';
import { setPrincipal } from './principal-of.js';
import { Authenticator, type Authentication } from './authenticator.js';

interface Watched {
  readonly stream: Subscription;
  readonly mayGoOn: () => boolean;
}

/** Ends streams when their principals may no longer have them. */
export class StreamWatch {
  readonly #access: Pick<AccessService, 'changes'>;
  readonly #streams = new Map<IncomingMessage, Watched>();
  #changes: Subscription | undefined;

  constructor(access: Pick<AccessService, 'changes'>) {
    this.#access = access;
  }

  /** @param mayGoOn Called after each change of users, sessions and tokens. */
  watch(request: IncomingMessage, stream: Subscription, mayGoOn: () => boolean): void {
    if (request.destroyed) return;
    this.#streams.set(request, { stream, mayGoOn });
    this.#changes ??= this.#access.changes.subscribe(() => this.#look());
    request.once('close', () => this.#forget(request));
  }

  #look(): void {
    for (const [request, { stream, mayGoOn }] of this.#streams) {
      if (mayGoOn()) continue;
      this.#forget(request);
      stream.unsubscribe();
    }
  }

  #forget(request: IncomingMessage): void {
    this.#streams.delete(request);
    if (this.#streams.size > 0) return;
    this.#changes?.unsubscribe();
    this.#changes = undefined;
  }
}

/** Right that a request needs: an action, `signed-in` for any session or token, or `public` for everybody. */
export type Requirement = Action | 'signed-in' | 'public';

/** What the context of an admitted request holds. */
interface Admitted {
  readonly principal: Principal;
  requirement: Requirement;
  isByGroup?: true | undefined;
}

/** Decides whether the user or token of a request has the needed right. */
export class Admission {
  readonly access: AccessService;
  readonly connections: Connections;
  readonly authenticator: Authenticator;
  readonly isInsecure: boolean;
  readonly #streams: StreamWatch;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(access: AccessService, options: HttpAccessOptions = {}) {
    this.access = access;
    this.connections = new Connections(options.trustedProxies ?? [], options.reportMisfit);
    this.authenticator = new Authenticator(access, this.connections, options);
    this.isInsecure = options.isInsecure ?? false;
    this.#streams = new StreamWatch(access);
  }

  /**
   * Stores the principal of a request in its context, and refuses requests of pages of other sites.
   *
   * @returns The user or token that the request acts for. A promise if its secret is unknown here: another server may have
   * made it a moment ago.
   */
  identify(ctx: Koa.Context): Principal | Promise<Principal> {
    const authentication = this.authenticator.find(ctx.req);
    if (authentication !== undefined || !this.authenticator.hasCredential(ctx.req))
      return this.#identified(ctx, authentication);
    return this.access.refresh().then(() => this.#identified(ctx, this.authenticator.find(ctx.req)));
  }

  /** The actions that the sender of a request may do, by the users and tokens known to this server. */
  mayOf(request: IncomingMessage): (action: Action) => boolean {
    const principal = this.#principalOf(this.authenticator.find(request));
    return (action) => mayDo(principal, action);
  }

  /**
   * @param isByGroup Whether the request is answered by group. Somebody who is bound to groups gets no other answer.
   * @throws {TallybookError} `NOT_CLAIMED`, `NOT_SIGNED_IN` and `NOT_ALLOWED`.
   */
  require(principal: Principal, requirement: Requirement, isByGroup?: boolean): void {
    if (requirement === 'public') return;
    if (principal === nobody) throw this.#unknown();
    if (principal.groups !== undefined && isByGroup !== true) {
      throw new TallybookError(
        'NOT_ALLOWED',
        'you are bound to groups, and this is not only about the persons in these',
      );
    }
    if (requirement === 'signed-in' || mayDo(principal, requirement)) return;
    const may = rolesFor(requirement);
    throw new TallybookError(
      'NOT_ALLOWED',
      `this is for the role ${may.join(', ')}; yours is ${principal.role}`,
      { details: { roles: may.join(' ') } },
    );
  }

  /**
   * Admits a request as {@link require} does, and has the right checked again after its body, and before each piece of its
   * answer.
   */
  admit(
    ctx: Koa.Context,
    principal: Principal,
    requirement: Requirement,
    isByGroup: true | undefined = (ctx.state as Partial<Admitted>).isByGroup,
  ): void {
    this.require(principal, requirement, isByGroup);
    if (requirement === 'public') return;
    const admitted = ctx.state as Admitted;
    admitted.requirement = requirement;
    admitted.isByGroup = isByGroup;
    setGatekeeper(ctx, this);
  }

  /** @throws {TallybookError} As {@link require}, if the sender of an admitted request has lost the right, or got another role or other groups. */
  requireStill({ req, state }: Pick<Koa.Context, 'req' | 'state'>): void {
    const { principal, requirement, isByGroup } = state as Admitted;
    const now = this.#principalOf(this.authenticator.find(req));
    this.require(now, requirement, isByGroup);
    const isBoundAlike = JSON.stringify(now.groups) === JSON.stringify(principal.groups);
    if (now.role === principal.role && isBoundAlike && now.credential === principal.credential) return;
    throw new TallybookError('NOT_SIGNED_IN', 'your role or your groups have changed meanwhile; try again');
  }

  /** Ends a stream when its sender has lost the right to it. */
  watch(ctx: Koa.Context, stream: Subscription): void {
    this.#streams.watch(ctx.req, stream, () => {
      try {
        this.requireStill(ctx);
        return true;
      } catch {
        return false;
      }
    });
  }

  /** The sender of a request, by what this server knows. A change that a page of another site asks for proves nothing. */
  principalOf(ctx: Koa.Context): Principal {
    const authentication = this.authenticator.find(ctx.req);
    try {
      this.#requireOwnPage(ctx, authentication);
    } catch {
      return nobody;
    }
    return this.#principalOf(authentication);
  }

  #identified(ctx: Koa.Context, authentication: Authentication | undefined): Principal {
    const principal = this.#principalOf(authentication);
    setPrincipal(ctx, principal);
    this.#requireOwnPage(ctx, authentication);
    return principal;
  }

  #requireOwnPage(ctx: Koa.Context, authentication: Authentication | undefined): void {
    requireSameOrigin(
      ctx,
      this.connections,
      authentication?.by === 'session' || authentication?.by === 'proxy',
    );
  }

  #principalOf(authentication: Authentication | undefined): Principal {
    return authentication?.principal ?? (this.authenticator.isOpen ? anyone : nobody);
  }

  #unknown(): TallybookError {
    if (this.access.state === 'unclaimed') {
      return new TallybookError(
        'NOT_CLAIMED',
        'nobody has set this service up; open its page, and have the setup code at hand',
      );
    }
    return new TallybookError('NOT_SIGNED_IN', 'sign in, or send a token: Authorization: Bearer tb_…');
  }
}
