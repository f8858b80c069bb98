/** Where anybody finds an image that is open to everybody, made to a preset: the same on every host name. */
export function openImagePath(id: string, preset: string): string {
  return `/api/public/attachments/${id}/image?p=${preset}`
}

/** Where anybody finds a file that is open to everybody; pictures are shown, other files saved. */
export function openFilePath(id: string, isPicture: boolean): string {
  return `/api/public/attachments/${id}/access${isPicture ? '?preview=true' : ''}`
}
