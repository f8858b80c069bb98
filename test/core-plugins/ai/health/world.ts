import type { Knex } from 'knex'
import type { Plugin } from '#kernel'
import { aiGateway, type AiCall } from '../../../../core-plugins/ai/contract.ts'
import { corePlugins } from '../../../../core-plugins/index.ts'
import { jobs } from '../../../../core-plugins/jobs/contract.ts'
import type { Api, Body } from '../../../support/api.ts'
import { startFakeUpstream, type Lane } from '../../../support/fake-upstream/start.ts'
import { dataOf, startPlatform } from '../../../support/platform.ts'

/** A platform whose vendor is in a process of its own. */
export async function healthWorld(allowed: readonly string[] = [], more: readonly Plugin[] = []) {
  const upstream = await startFakeUpstream()
  const plugins = [...corePlugins.filter(({ name }) => name !== 'first_run'), ...more]
  const platform = await startPlatform({
    plugins,
    env: { EGRESS_ALLOW_PRIVATE: [`127.0.0.1:${String(upstream.port)}`, ...allowed].join(',') },
  })
  const { services, database } = platform.host.kernel
  const db = (): Knex => database.knex
  let made = 0
  // Tests say when their turn is.
  for (const kind of ['ai.check', 'ai.alerts']) await services.get(jobs).unschedule(db(), kind)

  /** A provider with a lane of its own and a model. */
  async function provide(by: Api = platform.admin, type = 'openai_compatible') {
    const name = `m${String(++made)}`
    const lane: Lane = upstream.lane(name)
    const vendor = { code: name, name, type, base_url: lane.v1 }
    const provider = await idOf(by, '/admin/ai/providers', { ...vendor, credentials: { api_key: 'sk-right' } })
    const price = { input: '1', output: '2' }
    const wish = { name, kind: 'chat', provider_id: provider, upstream_model: `up-${name}`, price }
    const model = await idOf(by, '/admin/ai/models', wish)
    return { lane, name, provider, model }
  }

  /** Answers the reason of the refusal, or `ok`. */
  async function ask(model: string, more: Partial<AiCall> = {}): Promise<string> {
    const { request, ...rest } = callOf(model)
    try {
      const run = await services.get(aiGateway).run({ ...rest, request, ...more })
      await run.done
      return 'ok'
    } catch (error) {
      return (error as { reason?: string }).reason ?? String(error)
    }
  }

  /** Has a job of this kind run, as its schedule does. */
  async function turn(kind: string): Promise<void> {
    const queue = services.get(jobs)
    const id = await db().transaction((trx) => queue.enqueue(trx, kind, {}, { key: kind }))
    await queue.settle(kind, 30_000)
    const state = (await queue.find(id))?.state
    if (state !== undefined && state !== 'done') throw new Error(`${kind} is ${state}`)
  }

  /** Waits until no job of this kind waits or runs. */
  const settle = (kind: string): Promise<void> => services.get(jobs).settle(kind, 30_000)

  return {
    ...{ platform, upstream, db, provide, ask, turn, settle },
    admin: platform.admin,
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
    },
  }
}

/** A platform whose vendor is in a process of its own. */
export type HealthWorld = Awaited<ReturnType<typeof healthWorld>>

/** An item of a list; a test may walk into its objects. */
export type Row = Omit<Body, 'id'> & { readonly id: string }

/** The items of a list. */
export async function itemsOf(by: Api, path: string): Promise<readonly Row[]> {
  return dataOf(await by.get(path))['items'] as unknown as readonly Row[]
}

async function idOf(by: Api, path: string, wish: object): Promise<string> {
  return dataOf(await by.post(path, wish), 201)['id'] as unknown as string
}

function callOf(model: string): AiCall {
  return {
    ...{ spender: { tenantId: 0 }, purpose: 'chat', signal: new AbortController().signal, traceId: 'trace-of-health' },
    request: {
      ...{ model, messages: [{ role: 'user', parts: [{ type: 'text', text: 'a secret question' }] }] },
      ...{ maxOutputTokens: 20, stream: false, includeUsage: true, extra: {} },
    },
  }
}
