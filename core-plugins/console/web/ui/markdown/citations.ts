/** Makes buttons of the numbers in a text that name a source: what made the text safe lets none through. */
export function drawCitations(within: Element): void {
  for (const written of within.querySelectorAll('sup[data-cite]')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'cite'
    button.dataset['cite'] = written.getAttribute('data-cite') ?? ''
    button.setAttribute('aria-label', written.getAttribute('title') ?? '')
    button.setAttribute('aria-haspopup', 'dialog')
    button.title = written.getAttribute('title') ?? ''
    button.textContent = written.textContent
    written.replaceWith(button)
  }
}
