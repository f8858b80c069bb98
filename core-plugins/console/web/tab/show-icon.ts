let ours: string | undefined

/** Shows a picture as the icon of the tab; the console's own for an empty address. */
export function showIcon(address: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return
  ours ??= link.href
  // Its type says what ours is; of another one the server does.
  if (address) link.removeAttribute('type')
  link.href = address || ours
}
