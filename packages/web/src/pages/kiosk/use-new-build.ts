import { useEffect, useRef } from 'preact/hooks';

/** How often the page looks for a new build, in milliseconds. */
const ASK_MS = 60_000;

/**
 * Reloads the page when the service has another build of it, because nobody presses a button at a screen on a wall.
 *
 * @param isBusy Whether somebody uses the screen just now: then the reload waits.
 */
export function useNewBuild(isBusy: boolean): void {
  const latest = useRef(isBusy);
  latest.current = isBusy;
  useEffect(() => {
    const timer = setInterval(() => {
      void isReplaced().then(
        (isOther) => {
          if (isOther && !latest.current) location.reload();
        },
        () => undefined,
      );
    }, ASK_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Whether the page of the service has other files than this one; their names change with their contents. */
async function isReplaced(): Promise<boolean> {
  const { hash, href } = location;
  const response = await fetch(href.slice(0, href.length - hash.length), { cache: 'no-cache' });
  const text = await response.text();
  const files = Array.from(document.head.querySelectorAll('[src],link[rel=stylesheet]'), (element) =>
    element.getAttribute(element.localName === 'link' ? 'href' : 'src'),
  );
  // Another program may have answered, such as the login page of a Wi-Fi.
  return response.ok && text.includes('id="app"') && files.some((file) => !text.includes(file ?? ''));
}
