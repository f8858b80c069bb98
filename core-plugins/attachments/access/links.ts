import type { Tenant } from '#kernel'
import { isRaster } from '../content/raster.ts'
import type { Attachment } from '../models.ts'
import { canonicalOf, type SignedParameters } from './canonical.ts'
import { expiryOf, type SignedOperation, type Signer } from './signer.ts'

/** A link that whoever has it may open. */
interface SignedLink {
  readonly url: string
  readonly expiresAt: Date
}

/** Makes links that begin with this address. */
export class Links {
  readonly #signer: Signer
  readonly #publicUrl: string

  constructor(signer: Signer, publicUrl: string) {
    this.#signer = signer
    this.#publicUrl = publicUrl
  }

  /** A link that is good for so many seconds at least, and equal for all who ask within a quarter of an hour. */
  signed(
    op: SignedOperation,
    attachment: Attachment,
    parameters: SignedParameters,
    ttlSeconds: number,
    tenant?: Pick<Tenant, 'baseUrl'>,
  ): SignedLink {
    const exp = expiryOf(ttlSeconds)
    const canonical = canonicalOf(parameters)
    const sign = this.#signer.sign(op, attachment, exp, canonical)
    const query = `${canonical === '' ? '' : `${canonical}&`}exp=${exp}&sign=${sign}`
    return { url: `${this.#path(op, attachment, tenant)}?${query}`, expiresAt: new Date(exp * 1000) }
  }

  /** A link to what is public, which never changes. */
  open(
    op: SignedOperation,
    attachment: Attachment,
    parameters: SignedParameters,
    tenant?: Pick<Tenant, 'baseUrl'>,
  ): string {
    const canonical = canonicalOf(parameters)
    return `${this.#path(op, attachment, tenant)}${canonical === '' ? '' : `?${canonical}`}`
  }

  /** Links for a record: signed ones, or for what is public plain ones. */
  ofRecord(attachment: Attachment, ttlSeconds: number, tenant?: Pick<Tenant, 'baseUrl'>) {
    const link = (op: SignedOperation, parameters: SignedParameters): string => {
      if (attachment.visibility === 'public') return this.open(op, attachment, parameters, tenant)
      return this.signed(op, attachment, parameters, ttlSeconds, tenant).url
    }
    const isPicture = isRaster(attachment.mimeType)
    return {
      access_url: link('access', {}),
      preview_url: isPicture ? link('image', { p: 'preview' }) : link('access', { preview: true }),
      thumb_url: isPicture ? link('image', { p: 'thumb' }) : null,
    }
  }

  #path(op: SignedOperation, { id }: Attachment, tenant?: Pick<Tenant, 'baseUrl'>): string {
    return `${tenant?.baseUrl ?? this.#publicUrl}/api/public/attachments/${id}/${op}`
  }
}
