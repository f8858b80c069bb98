/** Whether keys that are pressed there are typed into something. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT|IFRAME)$/.test(target.tagName))
  )
}
