import { createHash } from 'node:crypto'

/** The id under which publishers make licences for a site: from the public half of the site's own key (base64url of 32 bytes). */
export function siteIdOf(publicKey: string): string {
  const hash = createHash('sha256').update('stoa-site-v1\n').update(Buffer.from(publicKey, 'base64url')).digest('hex')
  return `site-${hash.slice(0, 32)}`
}
