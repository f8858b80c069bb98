import { createHash, randomUUID } from 'node:crypto'
import { signLicence, type Licence, type SigningKey } from '#marketplace'
import type { PluginManifest } from '#sandbox'
import type { Knex } from 'knex'
import { LicensedAlreadyError, TrialNotOfferedError, TrialUsedError } from './errors.ts'
import type { LicenceBook } from './books/licence-book.ts'
import { day } from './books/licence-times.ts'

/** What a trial is made of. */
interface TrialTerms {
  readonly manifest: PluginManifest
  /** The id of this site. */
  readonly host: string
  readonly siteKey: SigningKey
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The days of a plugin's trial; throws 400/4002 where there is none. */
export function trialDaysOf({ licensing }: Pick<PluginManifest, 'licensing'>): number {
  const days = licensing?.trialDays ?? 0
  if (days === 0) throw new TrialNotOfferedError()
  return days
}

/** Signs a trial with the site's own key: for a tenant, or with 0 for the whole site. */
export function signTrial(tenantId: number, { manifest, host, siteKey, now }: TrialTerms) {
  const nbf = Math.floor(now / 1000)
  const licence: Licence = {
    ...{
      v: 1,
      typ: 'trial',
      jti: randomUUID(),
      kid: siteKey.kid,
      plugin: manifest.name,
      pub: manifest.publisher,
      host,
    },
    tenants: tenantId === 0 ? '*' : [tenantId],
    features: manifest.licensing?.features ?? [],
    ...{ nbf, exp: nbf + (trialDaysOf(manifest) * day) / 1000, grace: 0 },
  }
  return { licence, token: signLicence(licence, siteKey) }
}

/** Remembers for ever that a tenant had its trial; throws 409/4094 when it had one, or has or had a licence. */
export async function useTrialUp(
  trx: Knex.Transaction,
  { name, host, tenantId }: TrialOwner,
  book: LicenceBook,
  now: number,
): Promise<void> {
  const hash = tombstoneOf({ name, host, tenantId })
  const made = await trx('plugin_licence_tombstones').insert({ hash }).onConflict('hash').ignore().returning('hash')
  if (made.length === 0) throw new TrialUsedError()
  if (book.of(tenantId, now).state !== 'none') throw new LicensedAlreadyError()
}

/** Of these tenants, those that have not had their trial. */
export async function withoutTrial(
  db: Knex,
  { name, host }: Omit<TrialOwner, 'tenantId'>,
  tenantIds: readonly number[],
): Promise<readonly number[]> {
  const hashes = new Map(tenantIds.map((tenantId) => [tombstoneOf({ name, host, tenantId }), tenantId]))
  const used = await db('plugin_licence_tombstones')
    .whereIn('hash', [...hashes.keys()])
    .pluck<string[]>('hash')
  for (const hash of used) hashes.delete(hash)
  return [...hashes.values()]
}

/** Who has a trial of what. */
interface TrialOwner {
  readonly name: string
  readonly host: string
  /** 0 = the whole site. */
  readonly tenantId: number
}

/** What is left of a trial when everything else is gone. */
function tombstoneOf({ name, host, tenantId }: TrialOwner): string {
  return createHash('sha256').update(`${name}\n${host}\n${tenantId}`).digest('hex')
}
