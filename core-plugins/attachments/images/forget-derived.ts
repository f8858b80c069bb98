import type { Knex } from 'knex'
import type { Logger } from '#kernel'
import { Attachment } from '../models.ts'
import { derivedPrefix } from './derived-key.ts'
import type { DerivedImages } from './derived/derived-images.ts'

/** What forgetting stands on. */
interface ForgettingParts {
  readonly db: Knex
  readonly log: Logger
}

type Derived = Pick<DerivedImages, 'files' | 'forget'>

const batch = 500
/** Behind every hexadecimal digit, in any order of text. */
const behind = 'g'

/** Deletes what was made of bytes that are gone, by their hashes; what is made of the same bytes of somebody else's is made anew. */
export function forgetThese({ db, log }: ForgettingParts, derived: Derived, hashes: readonly string[] | 'all'): void {
  const forgotten = hashes === 'all' ? forgetLeft(db, derived) : forgetEach(derived, hashes.map(derivedPrefix))
  forgotten.catch((error: unknown) => log.warn({ err: error }, 'images of bytes that are gone are left for the sweep'))
}

/** Deletes what is left of bytes that no attachment has: of those that went while this host was down, or while an image was made of them. */
export async function forgetLeft(db: Knex, derived: Derived): Promise<void> {
  const prefixes = await derived.files.listStarts(derivedPrefix('0'.repeat(64)).length)
  for (let at = 0; at < prefixes.length; at += batch) {
    const some = prefixes.slice(at, at + batch)
    await forgetEach(derived, await absentOf(db, some))
  }
}

/** Those whose source is nobody's. */
async function absentOf(db: Knex, prefixes: readonly string[]): Promise<readonly string[]> {
  const starts = prefixes.map((prefix) => prefix.slice(0, -1))
  const rows = (await Attachment.acrossTenants(db)
    .joinRaw('join unnest(?::text[]) as start on hash >= start and hash < start || ?', [starts, behind])
    .distinct('start')) as unknown as readonly { readonly start: string }[]
  const present = new Set(rows.map(({ start }) => start))
  return prefixes.filter((_, index) => !present.has(starts[index] ?? ''))
}

async function forgetEach(derived: Derived, prefixes: readonly string[]): Promise<void> {
  for (const prefix of prefixes) await derived.forget(prefix)
}
