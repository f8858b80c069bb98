import { textOf } from '../../../support/attachments.ts'
import type { Api } from '../../../support/api.ts'
import { startFakeUpstream, type Lane } from '../../../support/fake-upstream/start.ts'
import { packFixture } from '../../../support/packages.ts'
import { createTenant, dataOf, startPlatform } from '../../../support/platform.ts'
import { installAndEnable } from '../../../support/small-plugin.ts'

/** A tenant with a key of its own. */
export interface KeyTenant {
  readonly id: number
  readonly owner: Api
  readonly key: string
}

/** What `/v1` answered. */
export interface Said {
  readonly status: number
  readonly headers: Headers
  /** The text of the answer, put together. */
  readonly text: string
  /** The one body, or those of all frames of a stream. */
  readonly frames: readonly Frame[]
  readonly raw: string
}

interface Frame {
  readonly choices?: readonly {
    readonly message?: { readonly content: string | null; readonly tool_calls?: readonly unknown[] }
    readonly delta?: { readonly content?: string }
    readonly finish_reason?: string | null
  }[]
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
  readonly error?: { readonly code: string; readonly message: string; readonly type: string }
}

/** A platform with these samples installed and enabled, a vendor in a process of its own, and two tenants: only `one` has the plugins. */
export async function pluginWorld(samples: readonly string[]) {
  await using started = new AsyncDisposableStack()
  const upstream = started.use(await startFakeUpstream())
  const { admin, host } = started.use(
    await startPlatform({ env: { EGRESS_ALLOW_PRIVATE: `127.0.0.1:${String(upstream.port)}` } }),
  )
  const plugins: string[] = []
  for (const sample of samples) {
    const installed = await installAndEnable(admin, await packFixture(sample))
    plugins.push(textOf(installed['name']))
  }
  const tenantOf = async (code: string): Promise<KeyTenant> => {
    const tenant = await createTenant(admin, code)
    const made = dataOf(await tenant.owner.post('/admin/ai/api-keys', { name: code }), 201)
    return { ...tenant, key: textOf(made['key']) }
  }
  const [one, two] = [await tenantOf('one'), await tenantOf('two')]
  for (const plugin of plugins) await assign(admin, one, plugin)
  const stack = started.move()
  return {
    ...{ admin, one, two, host },
    lane: (name: string): Lane => upstream.lane(name),
    /** Asks a model as a client would. */
    chat: (key: string, body: object) => chat(`${host.url}/v1/chat/completions`, key, body),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Assigns a plugin to a tenant, which enables it. */
export async function assign(admin: Api, { id, owner }: KeyTenant, plugin: string): Promise<void> {
  dataOf(await admin.post(`/admin/plugins/${plugin}/tenants`, { tenant_ids: [id] }))
  dataOf(await owner.post(`/tenant/plugins/${plugin}/enable`))
}

/** A provider of OpenAI's wire with a model of its name. */
export async function addPlain(by: Api, lane: Lane, name: string, price = '1'): Promise<void> {
  const wire = { type: 'openai_compatible', base_url: lane.v1, credentials: { api_key: 'sk-plain-1234' } }
  const provider = dataOf(await by.post('/admin/ai/providers', { code: name, name, ...wire }), 201)
  await addModel(by, textOf(provider['id']), name, price)
}

/** A model at a provider. */
export async function addModel(
  by: Api,
  provider: string,
  name: string,
  price = '1',
  kind: 'chat' | 'embedding' = 'chat',
): Promise<void> {
  const about = {
    kind,
    provider_id: provider,
    upstream_model: `up-${name}`,
    price: { input: price, output: '2' },
  }
  dataOf(await by.post('/admin/ai/models', { name, ...about }), 201)
}

async function chat(url: string, key: string, body: object): Promise<Said> {
  const messages = [{ role: 'user', content: 'one two three' }]
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages, max_tokens: 50, ...body }),
  })
  const raw = await answer.text()
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  const bodies = isStream ? [...raw.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => json) : [raw]
  const frames = bodies.map((json) => JSON.parse(json) as Frame)
  const text = frames
    .flatMap(({ choices = [] }) => choices)
    .map(({ message, delta }) => message?.content ?? delta?.content ?? '')
    .join('')
  return { status: answer.status, headers: answer.headers, text, frames, raw }
}
