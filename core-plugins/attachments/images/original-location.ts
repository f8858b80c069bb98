import type { AllowedAccess } from '../access/attachment-access.ts'
import { canonicalOf } from '../access/canonical.ts'
import type { Signer } from '../access/signer.ts'

/** Where the file itself is, for the same credential: a signature is made anew, since it covers what it is for. */
export function originalLocation(
  signer: Signer,
  { attachment, by, expires = 0 }: AllowedAccess,
  { token, isShown }: { readonly token: string | undefined; readonly isShown: boolean },
): string {
  const query = new URLSearchParams()
  if (by === 'token' && token !== undefined) query.set('token', token)
  if (isShown) query.set('preview', 'true')
  if (by === 'signed') {
    const canonical = canonicalOf(isShown ? { preview: true } : {})
    query.set('exp', String(expires))
    query.set('sign', signer.sign('access', attachment, expires, canonical))
  }
  const search = query.toString()
  return `/api/public/attachments/${attachment.id}/access${search === '' ? '' : `?${search}`}`
}
