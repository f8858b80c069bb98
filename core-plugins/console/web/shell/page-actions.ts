/** Something that can be done in the page that is open. */
interface PageAction {
  readonly title: string
  /** Why it cannot be done now. */
  readonly blocked: string | undefined
  readonly icon: string
  readonly press: () => void
}

/** What the page offers in its head, and its buttons that need a permission; those of a row belong to the row. Nothing while a dialogue is open. */
export function actionsOfPage(): readonly PageAction[] {
  if (document.querySelector('dialog[open]')) return []
  const places = '#content header :is(button, a[href]), #content button[data-permission]:not(:is(tbody, li) *)'
  return [...document.querySelectorAll<HTMLElement>(places)]
    .filter((element) => element.checkVisibility())
    .map((element) => ({
      title: (element.getAttribute('aria-label') ?? element.textContent).trim(),
      blocked: reasonOf(element),
      icon: element.dataset['icon'] ?? 'play',
      press() {
        // What it opens gives the focus back to where it was.
        element.focus()
        element.click()
      },
    }))
    .filter(({ title }) => title !== '')
}

function reasonOf(element: HTMLElement): string | undefined {
  if (element.ariaDisabled !== 'true') return undefined
  const id = element.getAttribute('aria-describedby')
  return (id === null ? undefined : document.getElementById(id)?.textContent) ?? ''
}
