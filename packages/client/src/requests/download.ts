import { requireType } from './read-answer.js';

/** A file that is on its way. */
export interface Download {
  /** As the service calls it; `undefined` if it does not say. */
  readonly fileName: string | undefined;
  /** The media type, such as `text/csv; charset=utf-8`. */
  readonly type: string;
  /** The bytes. It errors if the connection breaks, so a file is whole if the stream comes to its end. */
  readonly stream: ReadableStream<Uint8Array>;
}

/** A file of this type from an answer. */
export function downloadOf(response: Response, type: string): Download {
  requireType(response, type);
  const { headers } = response;
  return {
    fileName: /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1],
    type: headers.get('Content-Type') ?? '',
    stream: bodyOf(response),
  };
}

/** The body of an answer as a stream, which is empty if there is none. */
export function bodyOf({ body }: Response): ReadableStream<Uint8Array> {
  return body ?? new ReadableStream({ start: (controller) => controller.close() });
}
