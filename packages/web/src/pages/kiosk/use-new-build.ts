import { useEffect, useRef } from 'preact/hooks';

/** How often a new build is looked for, in milliseconds. */
const ASK_MS = 60_000;

/**
 * Loads the page anew when the service has another build of it: nobody presses a button at a screen on a wall.
 *
 * @param isBusy Whether somebody is looking at it just now; then it waits.
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
  // Something else may have answered, such as the login of a Wi-Fi.
  return response.ok && text.includes('id="app"') && files.some((file) => !text.includes(file ?? ''));
}
