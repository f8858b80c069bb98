import type { Knex } from 'knex'
import { FileRejectedError } from '../errors.ts'
import { InfectedHash } from '../models.ts'

/** Throws 400/4008 for bytes that a scanner has found infected, whoever sends them. */
export async function demandNotInfected(db: Knex, hash: string): Promise<void> {
  const known = await InfectedHash.with(db).findById(hash)
  if (!known) return
  const details = { cause: 'infected', signature: known.signature }
  throw new FileRejectedError({ fault: 'a virus scanner has found it infected' }, { details })
}

/** Remembers bytes that were found infected. */
export async function noteInfected(trx: Knex.Transaction, hash: string, signature: string): Promise<void> {
  await InfectedHash.with(trx).insert({ hash, signature }).onConflict('hash').merge(['signature'])
}
