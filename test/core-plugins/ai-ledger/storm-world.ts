import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import type { Api } from '../../support/api.ts'
import { textOf } from '../../support/attachments.ts'
import type { Lane } from '../../support/fake-upstream/start.ts'
import { createTenant, dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'

/** What is held for a chat of these tests, in nano-units: 31 bytes in at one each, 20 tokens out at 2,000, two for rounding. */
export const worst = 31 + 2 + 20 * 2_000

/** A tenant with a key and a budget. */
export interface StormTenant {
  readonly id: number
  readonly key: string
  readonly quotaId: string
  readonly limit: number
}

/** A provider and its only model, which costs nearly nothing in and 2,000 nano-units a token out. */
export async function addModel(admin: Api, lane: Lane): Promise<string> {
  const vendor = { code: 'fake', name: 'Fake', type: 'openai_compatible', base_url: lane.v1 }
  const made = await admin.post('/admin/ai/providers', { ...vendor, credentials: { api_key: 'sk-test-1234' } })
  const provider = textOf(dataOf(made, 201)['id'])
  const model = { name: 'fast', kind: 'chat', provider_id: provider, upstream_model: 'up' }
  dataOf(await admin.post('/admin/ai/models', { ...model, price: { input: '0.001', output: '2' } }), 201)
  return provider
}

/** A tenant whose budget is for so many chats, known to all of these hosts; the lane says 20 words to whoever asks. */
export async function stormTenant(
  admin: Api,
  urls: readonly string[],
  { code, chats, lane }: { readonly code: string; readonly chats: number; readonly lane: Lane },
): Promise<StormTenant> {
  const { id, owner } = await createTenant(admin, code)
  const limit = chats * worst
  const budget = { name: code, tenant_id: id, metric: 'cost', limit: `0.${String(limit).padStart(9, '0')}` }
  const quotaId = textOf(dataOf(await admin.post('/admin/ai/quotas', budget), 201)['id'])
  const made = dataOf(await owner.post('/admin/ai/api-keys', { name: code, scopes: ['chat'] }), 201)
  const key = textOf(made['key'])
  // Known where a call that never fits is refused; what is let in before then comes to nothing.
  await lane.behave({ trouble: { kind: 'status', status: 400 } })
  const isKnown = async (url: string): Promise<boolean> =>
    (await chat(url, key, { max_tokens: 1_000_000_000 }).catch(() => 0)) === 429
  for (const url of urls) await until(() => isKnown(url), 30_000)
  await lane.behave({ words: 20 })
  return { id, key, quotaId, limit }
}

/** One chat with 31 bytes in and at most 20 tokens out; answers the status, once the answer is whole or the caller hung up after its first piece. */
export async function chat(
  url: string,
  key: string,
  body: { readonly stream?: boolean; readonly max_tokens?: number } = {},
  hangsUp = false,
): Promise<number> {
  const control = new AbortController()
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    signal: control.signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ model: 'fast', max_tokens: 20, messages: [{ role: 'user', content: 'one two three 4' }] },
      ...body,
    }),
  })
  if (!hangsUp) await answer.text()
  else {
    await answer.body?.getReader().read()
    control.abort()
  }
  return answer.status
}

/** Notes the most that was ever used and held of each quota, whoever writes it. */
export async function watchPeaks(db: Knex): Promise<void> {
  await db.raw(`
    create table storm_peaks (quota_id text primary key, peak bigint not null, writes bigint not null);
    create function storm_peak() returns trigger language plpgsql as $$ begin
      insert into storm_peaks values (new.quota_id, new.used + new.held, 1)
      on conflict (quota_id) do update
        set peak = greatest(storm_peaks.peak, excluded.peak), writes = storm_peaks.writes + 1;
      return null;
    end $$;
    create trigger storm_peak after insert or update on ai_quota_buckets for each row execute function storm_peak()`)
}

/** The most that was ever used and held of a quota, and how often its buckets were written. */
export async function peakOf(db: Knex, quotaId: string): Promise<{ readonly peak: number; readonly writes: number }> {
  const row = await db('storm_peaks').where({ quota_id: quotaId }).first<{ peak: string; writes: string } | undefined>()
  return { peak: Number(row?.peak ?? 0), writes: Number(row?.writes ?? 0) }
}

/** Waits until nothing is held, and asserts that the budget, the ledger and its sums say the same, and that nothing was ever over. */
export async function requireWhole(
  admin: Api,
  db: Knex,
  { id, quotaId, limit }: StormTenant,
  milliseconds = 30_000,
): Promise<number> {
  const bucket = async () => {
    const { buckets } = dataOf(await admin.get(`/admin/ai/quotas/${quotaId}/usage`))
    return (buckets as unknown as readonly { used: string; held: string }[])[0]
  }
  await until(async () => (await bucket())?.held === '0.00', milliseconds)
  const costs = dataOf(await admin.get(`/admin/ai/usage/costs?tenant_id=${id}`)) as unknown as {
    readonly total: { readonly amount: string }
    readonly reconciliation: { readonly equal: boolean }
  }
  const used = (await bucket())?.used ?? '0.00'
  assert.deepEqual([costs.reconciliation.equal, costs.total.amount], [true, used])
  const { peak } = await peakOf(db, quotaId)
  assert.ok(peak <= limit, `${peak} of ${limit} were used or held`)
  return Math.round(Number(used) * 1e9)
}
