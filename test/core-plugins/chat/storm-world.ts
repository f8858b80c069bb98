import { textOf } from '../../support/attachments.ts'
import type { Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { makeAgent } from '../agents/world.ts'
import type { addModelAt } from './runs-world.ts'

/** How vendors of a storm are: well, slow, or broken in the middle or at once. */
const vendors = {
  well: { words: 40, pieceMs: 3 },
  slow: { words: 60, pieceMs: 10 },
  cut: { words: 40, pieceMs: 3, trouble: { kind: 'cut', after: 10 } },
  torn: { words: 40, pieceMs: 3, trouble: { kind: 'end', after: 15 } },
  odd: { words: 40, pieceMs: 3, trouble: { kind: 'garbage', after: 5 } },
  refusing: { trouble: { kind: 'status', status: 400 } },
} as const

/** An agent at each of them. */
export async function makeStormAgents(
  owner: Api,
  addModel: (name: string) => ReturnType<typeof addModelAt>,
): Promise<readonly string[]> {
  const agents: string[] = []
  for (const [name, behaviour] of Object.entries(vendors)) {
    const lane = await addModel(name)
    await lane.behave(behaviour)
    agents.push(await makeAgent(owner, { code: name, model: name, generate_titles: false }))
  }
  // Two of three answer.
  return [...agents, ...Array.from({ length: 3 }, () => agents.slice(0, 2)).flat()]
}

/** A quota of the tenant that is never used up, and counts all that is charged. */
export async function quotaOfAll(admin: Api, tenantId: number): Promise<string> {
  const wish = { name: 'storm', tenant_id: tenantId, metric: 'cost', limit: '1000', mode: 'hard' }
  const made = await admin.post('/admin/ai/quotas', { ...wish, window: { kind: 'total' } })
  return textOf(dataOf(made, 201)['id'])
}

/** Waits until nothing of a quota is held any more, and the ledger has what it used. */
export async function untilSettled(admin: Api, quotaId: string, milliseconds = 60_000): Promise<void> {
  await until(async () => {
    const { buckets } = dataOf(await admin.get(`/admin/ai/quotas/${quotaId}/usage`))
    const [bucket] = buckets as unknown as readonly { readonly held: string }[]
    return bucket?.held === '0.00'
  }, milliseconds)
}
