import { requireType } from './read-answer.js';

/** A file that is being downloaded. */
export interface Download {
  /** Name that the service gives the file; `undefined` if it gives none. */
  readonly fileName: string | undefined;
  /** The media type, such as `text/csv; charset=utf-8`. */
  readonly type: string;
  /** The bytes. The stream fails if the connection breaks, so the file is complete if the stream ends. */
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
