/**
 * Keeps the title of the document: the heading of the page, then the name of the program. Pages are drawn late and in parts,
 * so the heading is looked for after each change.
 *
 * Browsers keep titles. Where a heading may be the name of somebody, it has `data-title`, or is within such an element, and
 * this is taken instead.
 *
 * The title of each later page is announced to screen readers: to them, a change of the page is silent.
 */
export function followHeading(): void {
  let said = '';
  new MutationObserver(() => {
    const heading = document.querySelector<HTMLElement>('[data-title],h1');
    const title = heading === null ? said : (heading.dataset['title'] ?? heading.textContent);
    if (title === said) return;
    document.title = `${title} · Tallybook`;
    const live = document.getElementById('title');
    if (live !== null && said !== '') live.textContent = title;
    said = title;
  }).observe(document.body, { childList: true, subtree: true });
}
