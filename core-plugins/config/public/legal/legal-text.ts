import type { Tenant } from '#kernel'
import type { ConfigReader, ConfigWriter } from '../../contract.ts'
import { LegalTextEmptyError } from '../../errors.ts'
import { texts } from '../../texts/texts.ts'
import { linkAttachedPictures } from './attached-pictures.ts'
import { hasMeaning } from './has-meaning.ts'

/** A legal text of a tenant. */
export interface LegalText {
  readonly type: LegalTextType
  readonly title: string
  /** Sanitised when it was written; pictures that are attachments have their address. */
  readonly html: string
  readonly updated_at: string | null
  /** The language that the tenant writes in. */
  readonly locale: string
}
/** The kinds of legal texts. */
export type LegalTextType = 'privacy' | 'terms'

const keys = { privacy: 'privacy_policy', terms: 'terms' } as const

/** Reads a legal text; throws 404/4042 where it is empty or shows nothing. */
export async function readLegalText(
  type: LegalTextType,
  tenant: Tenant,
  reader: ConfigReader,
  writer: ConfigWriter,
): Promise<LegalText> {
  const [found, own, platforms] = await Promise.all([
    reader.item(keys[type], tenant.id),
    reader.get<string>('locale', tenant.id),
    reader.get<string>('default_locale'),
  ])
  const html = typeof found?.value === 'string' ? found.value : ''
  if (!hasMeaning(html)) throw new LegalTextEmptyError()
  const { items } = await writer.describe('tenant_legal', found?.source === 'tenant' ? tenant.id : 0)
  const updatedAt = items.find(({ key }) => key === keys[type])?.updated_at ?? null
  const locale = own || platforms
  const title = texts.tell(`legal.${type}`, locale)
  return { type, title, html: linkAttachedPictures(html), updated_at: updatedAt, locale }
}
