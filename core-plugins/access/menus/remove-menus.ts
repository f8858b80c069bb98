import type { Knex } from 'knex'
import { MenuOverride } from './models.ts'

const isBelow = 'starts_with(name, ?)'

/** Forgets how entries whose names begin like this were arranged; answers how many were. */
export async function removeMenus(prefix: string, trx: Knex.Transaction): Promise<number> {
  return MenuOverride.with(trx).whereRaw(isBelow, prefix).delete()
}

/** How many entries whose names begin like this are arranged otherwise than declared. */
export async function countMenus(prefix: string, db: Knex): Promise<number> {
  return MenuOverride.with(db).whereRaw(isBelow, prefix).resultSize()
}
