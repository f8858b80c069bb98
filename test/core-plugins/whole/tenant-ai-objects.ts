import { textOf } from '../../support/attachments.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { fresh, type Owner } from './tenant-owner.ts'

/** A vendor whose address leads nowhere. */
export async function makeProvider({ api }: Owner): Promise<string> {
  const provider = { code: fresh(), name: 'A vendor', type: 'openai_compatible', base_url: 'https://93.184.216.34/v1' }
  return textOf(dataOf(await api.post('/admin/ai/providers', provider), 201)['id'])
}

/** A server of tools that is not looked at, since it is nowhere. */
export async function makeMcpServer({ api }: Owner): Promise<string> {
  const server = { name: fresh(), url: 'https://93.184.216.34/mcp', status: 'disabled', tools: ['search'] }
  return textOf(dataOf(await api.post('/admin/ai/mcp-servers', server), 201)['id'])
}

/** A quota that nobody uses up. */
export async function makeQuota({ api }: Owner): Promise<string> {
  return textOf(
    dataOf(await api.post('/admin/ai/quotas', { name: fresh(), metric: 'tokens', limit: '1000000' }), 201)['id'],
  )
}

/** A key for `/v1`. */
export async function makeKey({ api }: Owner): Promise<string> {
  return textOf(dataOf(await api.post('/admin/ai/api-keys', { name: fresh() }), 201)['id'])
}

/** A model of a provider of its own. */
export async function makeModel(owner: Owner): Promise<string> {
  const model = { name: fresh(), kind: 'chat', provider_id: await makeProvider(owner), upstream_model: 'any' }
  return textOf(dataOf(await owner.api.post('/admin/ai/models', model), 201)['id'])
}

/** A route to a model of its own. */
export async function makeRoute({ api }: Owner): Promise<string> {
  const provider = { code: fresh(), name: 'A vendor', type: 'openai_compatible', base_url: 'https://93.184.216.34/v1' }
  const provider_id = textOf(dataOf(await api.post('/admin/ai/providers', provider), 201)['id'])
  const model = fresh()
  dataOf(await api.post('/admin/ai/models', { name: model, kind: 'chat', provider_id, upstream_model: 'any' }), 201)
  const route = { name: 'A route', match: { models: [model] }, targets: [{ id: 't1', model }] }
  return textOf(dataOf(await api.post('/admin/ai/gateway/routes', route), 201)['id'])
}

/** An agent that is published, with a model that answers without a provider. */
export async function makeAgent({ api }: Owner): Promise<string> {
  const provider = { code: fresh(), name: 'Demo', type: 'demo' }
  const provider_id = textOf(dataOf(await api.post('/admin/ai/providers', provider), 201)['id'])
  const model = fresh()
  dataOf(await api.post('/admin/ai/models', { name: model, kind: 'chat', provider_id, upstream_model: 'demo' }), 201)
  const wish = { code: fresh(), name: 'An agent', model, generate_titles: false }
  const id = textOf(dataOf(await api.post('/admin/ai/agents', wish), 201)['id'])
  dataOf(await api.post(`/admin/ai/agents/${id}/publish`, {}))
  return id
}

/** One message with its answer. */
export async function chat(owner: Owner) {
  const agent = await makeAgent(owner)
  const answer = dataOf(await owner.api.post(`/ai/agent-chat/${agent}/chat`, { message: 'Hello' }))
  const [conversation, run, message] = [answer['conversation_id'], answer['run_id'], answer['message']?.['id']]
  return { conversation: textOf(conversation), run: textOf(run), message: textOf(message) }
}

/** Something that an agent remembers of the owner. */
export async function makeMemory(owner: Owner): Promise<string> {
  const agent = await makeAgent(owner)
  const text = `I prefer the number ${fresh()}`
  dataOf(await owner.api.post(`/ai/agent-chat/${agent}/chat`, { message: `Remember that ${text}` }))
  let id: unknown
  await until(async () => {
    const { items } = dataOf(await owner.api.get('/ai/memories'))
    id = (items as unknown as readonly { readonly id: unknown; readonly text: unknown }[]).find(
      (each) => each.text === text,
    )?.id
    return id !== undefined
  })
  return textOf(id)
}

/** A rule of alerts. */
export async function makeAlertRule({ api }: Owner): Promise<string> {
  const rule = { name: 'A rule', when: { metric: 'breaker_open' } }
  return textOf(dataOf(await api.post('/admin/ai/health/alerts', rule), 201)['id'])
}

/** A knowledge base without documents. */
export async function makeKnowledgeBase({ api }: Owner): Promise<string> {
  return textOf(dataOf(await api.post('/admin/ai/knowledge-bases', { name: fresh() }), 201)['id'])
}

/** A knowledge base and a document in it. */
export async function makeDocument(owner: Owner): Promise<readonly string[]> {
  const base = await makeKnowledgeBase(owner)
  const path = `/admin/ai/knowledge-bases/${base}/documents`
  return [base, textOf(dataOf(await owner.api.post(path, { title: fresh(), text: 'words' }), 201)['id'])]
}

/** A report of a month. */
export async function makeReport({ api }: Owner): Promise<string> {
  const period = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' }
  const report = { name: fresh(), type: 'summary', ...period }
  return textOf(dataOf(await api.post('/admin/ai/usage/reports', report), 202)['report_id'])
}
