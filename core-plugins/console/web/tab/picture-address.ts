const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the value of a setting names an attachment, rather than an address. */
export function namesAttachment(text: string): boolean {
  return id.test(text)
}

/** Where the picture of a setting is: the value itself, unless it names an attachment. */
export function pictureAddress(value: unknown): string {
  const text = typeof value === 'string' ? value : ''
  return namesAttachment(text) ? `/api/public/attachments/${text}/access?preview=true` : text
}
