/**
 * Keeps the title of the document: the heading of the page, then the name of the program. Pages are drawn late and in parts,
 * so the heading is looked for after each change.
 *
 * Browsers keep titles. Where a heading may be the name of somebody, it has `data-title`, or is within such an element, and
 * this is taken instead.
 */
export function followHeading(): void {
  new MutationObserver(() => {
    const heading = document.querySelector<HTMLElement>('[data-title],h1');
    document.title = `${heading ? `${heading.dataset['title'] ?? heading.textContent} · ` : ''}Tallybook`;
  }).observe(document.body, { childList: true, subtree: true });
}
