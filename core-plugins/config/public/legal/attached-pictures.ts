const picture = /(<img\b[^>]*?\ssrc=")attachment:(?:\/\/)?([\w-]{1,64})\/?(")/gi

/** A text whose pictures name attachments, with the addresses where a browser finds those. */
export function linkAttachedPictures(html: string): string {
  return html.replace(picture, '$1/api/public/attachments/$2/access?preview=true$3')
}
