import type { Knex } from 'knex'
import { raw } from 'objection'
import { createSecretBox, DecryptError, type Scope, type TenantModel } from '#kernel'
import type { RotationCounts, SecretRotation } from '../contract.ts'
import { ChangeRequest, SystemConfigValue, type StoredTexts } from '../models.ts'

type Counts = { -readonly [name in keyof RotationCounts]: number }
/** Turns one sealed text into another; anything else stays as it is. */
type Reseal = (text: string) => string

/** Rows of one transaction. */
const batch = 200
/** Every Fernet token of our times begins so: version 0x80 and the first bytes of the time. */
const sealed = /gAAAA[\w-]{92,}={0,2}/g

/** Makes the rotation of everything that configuration keeps sealed: values, and changes that wait or were decided on. */
export function createSecretRotation(scope: Scope): SecretRotation {
  const { fernetKeys, appSecret } = scope.env
  const newest = createSecretBox({ fernetKeys: fernetKeys.slice(0, 1), appSecret })

  function resealInto(counts: Counts): Reseal {
    return (text) =>
      text.replace(sealed, (token) => {
        if (opens(() => newest.open(token))) return count('current', token)
        if (!opens(() => scope.secrets.open(token))) return count('unreadable', token)
        return count('resealed', scope.secrets.rotate(token))
      })

    function count(outcome: keyof Counts, token: string): string {
      counts[outcome] += 1
      return token
    }
  }

  return {
    async run() {
      const counts: Counts = { resealed: 0, current: 0, unreadable: 0 }
      const reseal = resealInto(counts)
      await eachBatch(SystemConfigValue, 'value', scope.db, async (row, trx) => {
        const value = reseal(row.value)
        if (value !== row.value) await SystemConfigValue.of(row.tenantId, trx).where({ id: row.id }).patch({ value })
      })
      await eachBatch(ChangeRequest, 'after', scope.db, async (row, trx) => {
        const [before, after] = [resealAll(row.before, reseal), resealAll(row.after, reseal)]
        await ChangeRequest.of(row.tenantId, trx).where({ id: row.id }).patch({ before, after })
      })
      return counts
    },
  }
}

/** Goes through the rows that may hold something sealed, locked while their batch is worked on. */
async function eachBatch<M extends TenantModel & { id: number | string }>(
  model: { new (): M } & Pick<typeof TenantModel, 'acrossTenants'>,
  column: 'value' | 'after',
  db: Knex,
  work: (row: M, trx: Knex.Transaction) => Promise<void>,
): Promise<void> {
  let last: number | string | undefined = 0
  while (last !== undefined) {
    const after: number | string = last
    last = await db.transaction(async (trx) => {
      const rows = (await model
        .acrossTenants(trx)
        .where('id', '>', after)
        .where(raw('??::text', column), 'like', '%gAAAA%')
        .orderBy('id')
        .limit(batch)
        .forUpdate()) as unknown as M[]
      for (const row of rows) await work(row, trx)
      return rows.at(-1)?.id
    })
  }
}

function resealAll(texts: StoredTexts, reseal: Reseal): StoredTexts {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text === null ? null : reseal(text)]))
}

function opens(open: () => string): boolean {
  try {
    open()
    return true
  } catch (error) {
    if (error instanceof DecryptError) return false
    throw error
  }
}
