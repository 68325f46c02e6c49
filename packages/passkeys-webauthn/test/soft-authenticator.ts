import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';

/** Faults of a device and its browser. */
export interface Deviation {
  readonly type?: string;
  readonly origin?: string;
  readonly host?: string;
  readonly crossOrigin?: boolean;
  /** Bits of the authenticator data: 1 user present, 4 user verified, 8 and 16 synced, 64 a key follows. */
  readonly flags?: number;
  readonly counter?: number;
  readonly fmt?: string;
  readonly attStmt?: readonly (readonly [unknown, unknown])[];
  readonly cose?: Buffer;
  readonly credentialId?: Buffer;
  /** Signs with this key instead of its own. */
  readonly key?: KeyObject;
}

const HERE = 1;
const VERIFIED = 4;
const KEY_FOLLOWS = 64;

/**
 * Number of RSA key pairs that are reused: making one takes as long as a hundred of P-256. Devices of one test have
 * different keys.
 */
const RSA_PAIRS = 4;
const rsaPairs: KeyPairKeyObjectResult[] = [];
let rsaTurn = 0;

function nextRsaPair(): KeyPairKeyObjectResult {
  const turn = rsaTurn++ % RSA_PAIRS;
  return (rsaPairs[turn] ??= generateKeyPairSync('rsa', { modulusLength: 2048 }));
}

/** A device and a browser in software, with one key of P-256 or RSA. */
export class SoftAuthenticator {
  readonly credentialId: Buffer = randomBytes(32);
  #origin: string;
  readonly #host: string;
  readonly #privateKey: KeyObject;
  readonly cose: Buffer;

  constructor(origin: string, host: string, kind: 'ec' | 'rsa' = 'ec') {
    this.#origin = origin;
    this.#host = host;
    const { privateKey, publicKey } =
      kind === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : nextRsaPair();
    this.#privateKey = privateKey;
    const jwk = publicKey.export({ format: 'jwk' });
    const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');
    this.cose =
      kind === 'ec'
        ? cbor(
            new Map<unknown, unknown>([
              [1, 2],
              [3, -7],
              [-1, 1],
              [-2, bytes(jwk.x)],
              [-3, bytes(jwk.y)],
            ]),
          )
        : cbor(
            new Map<unknown, unknown>([
              [1, 3],
              [3, -257],
              [-1, bytes(jwk.n)],
              [-2, bytes(jwk.e)],
            ]),
          );
  }

  /** The same device at a page with another origin, such as another port. */
  at(origin: string): this {
    this.#origin = origin;
    return this;
  }

  /** `RegistrationResponseJSON` */
  create(challenge: string, deviation: Deviation = {}): Record<string, unknown> {
    const clientData = this.#clientData('webauthn.create', challenge, deviation);
    const { credentialId = this.credentialId, cose = this.cose } = deviation;
    const { fmt = 'none', attStmt = [], flags = HERE | VERIFIED | KEY_FOLLOWS } = deviation;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credentialId.length);
    const authData = Buffer.concat([
      this.#authData({ ...deviation, flags }),
      ...[Buffer.alloc(16), length, credentialId, cose],
    ]);
    const attestationObject = cbor(
      new Map<unknown, unknown>([
        ['fmt', fmt],
        ['attStmt', new Map(attStmt)],
        ['authData', authData],
      ]),
    );
    return this.#json(credentialId, {
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** `AuthenticationResponseJSON` */
  get(challenge: string, userHandle: string, deviation: Deviation = {}): Record<string, unknown> {
    const clientData = this.#clientData('webauthn.get', challenge, deviation);
    const authData = this.#authData({ flags: HERE | VERIFIED, ...deviation });
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#json(deviation.credentialId ?? this.credentialId, {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, deviation.key ?? this.#privateKey).toString('base64url'),
      userHandle,
    });
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const { origin = this.#origin, crossOrigin = false } = deviation;
    return Buffer.from(JSON.stringify({ type: deviation.type ?? type, challenge, origin, crossOrigin }));
  }

  #authData({ host = this.#host, flags = 0, counter = 0 }: Deviation): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.of(flags), count]);
  }

  #json(credentialId: Buffer, response: object): Record<string, unknown> {
    const id = credentialId.toString('base64url');
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }
}

/** The part of CBOR that attestations need. */
export function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  const map = value as ReadonlyMap<unknown, unknown>;
  const pairs = [...map].map(([key, each]) => Buffer.concat([cbor(key), cbor(each)]));
  return Buffer.concat([head(5, map.size), ...pairs]);
}

function head(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.of((kind << 5) | length);
  if (length < 256) return Buffer.of((kind << 5) | 24, length);
  return Buffer.of((kind << 5) | 25, length >> 8, length & 0xff);
}
