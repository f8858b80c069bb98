/** Whether something is asked over the page, which Esc answers before it closes anything else. */
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}

/** Whether keys that are pressed there are typed into something. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT|IFRAME)$/.test(target.tagName))
  )
}
