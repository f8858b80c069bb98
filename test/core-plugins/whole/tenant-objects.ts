import { preflight, textOf, uploaded } from '../../support/attachments.ts'
import { png } from '../../support/png.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { beginTus } from '../../support/tus.ts'
import {
  chat,
  makeAgent,
  makeAlertRule,
  makeDocument,
  makeKey,
  makeKnowledgeBase,
  makeMcpServer,
  makeMemory,
  makeModel,
  makeProvider,
  makeQuota,
  makeReport,
  makeRoute,
} from './tenant-ai-objects.ts'
import { fresh, type Maker, type Owner, type SingleMaker } from './tenant-owner.ts'

async function makeUser({ api }: Owner): Promise<number> {
  const user = { email: `${fresh()}@stoa.test`, password: 'a long enough passphrase', roles: ['tenant_user'] }
  return Number(dataOf(await api.post('/tenant/users', user), 201)['id'])
}

async function makeRole({ api }: Owner): Promise<number> {
  const role = { code: fresh(), name: 'A role', permissions: [] }
  return Number(dataOf(await api.post('/tenant/roles', role), 201)['id'])
}

async function makeOrg({ api }: Owner): Promise<number> {
  return Number(dataOf(await api.post('/tenant/orgs', { name: fresh() }), 201)['id'])
}

async function makeInvitation({ api }: Owner): Promise<number> {
  return Number(dataOf(await api.post('/tenant/users/invites', { roles: ['tenant_user'], send: false }), 201)['id'])
}

async function announce({ api }: Owner): Promise<string> {
  const { id } = dataOf(await api.post('/tenant/announcements', { title: { default: fresh() } }), 201)
  return id as unknown as string
}

async function beginSession({ signIn }: Owner): Promise<string> {
  const api = await signIn()
  const page = dataOf(await api.get('/auth/sessions')) as unknown as { items: readonly Session[] }
  return page.items.find(({ current }) => current)?.id ?? ''
}
interface Session {
  readonly id: string
  readonly current: boolean
}

const greeting = { key: 'greeting', type: 'STRING', scope: 'tenant', label: { default: 'Greeting' }, default: 'hello' }
const withGreeting = { capabilities: ['config'], reasons: { config: 'Greets.' }, config: [greeting] }

const assigned = new Map<number, Promise<string>>()

/** A plugin that is assigned once to a tenant: nothing a tenant may do with it takes it away again. */
function assignPlugin(owner: Owner): Promise<string> {
  const known = assigned.get(owner.tenantId) ?? installAndAssign(owner)
  assigned.set(owner.tenantId, known)
  return known
}

async function installAndAssign({ admin, tenantId }: Owner): Promise<string> {
  const name = `acme.${fresh()}`
  await installAndEnable(admin, await packSmall(name, withGreeting, undefined, { 'README.md': '# Greetings' }))
  const file = { field: 'file', name: 'icon.png', content: png(64, 64) }
  dataOf(await admin.call('POST', `/admin/plugins/${name}/icon`, { file }))
  dataOf(await admin.post(`/admin/plugins/${name}/tenants`, { tenant_ids: [tenantId] }))
  return name
}

const notify = {
  ...{
    capabilities: ['notify'],
    reasons: { notify: 'Tells.' },
    permissions: [{ code: 'tell', title: { default: 'Tell' } }],
  },
  tenant_routes: [{ method: 'POST', path: '/tell', handler: 'tell', permission: 'tell' }],
}
const notifiers = new Map<number, Promise<string>>()

async function useNotifier({ admin, api, tenantId }: Owner): Promise<string> {
  const name = `acme.${fresh()}`
  const definition = `{ handlers: { tell: (request, { notify, user }) => notify.send({ userId: user.id, title: 'Hello' }) } }`
  await installAndEnable(admin, await packSmall(name, notify, definition))
  dataOf(await admin.post(`/admin/plugins/${name}/tenants`, { tenant_ids: [tenantId] }))
  dataOf(await api.post(`/tenant/plugins/${name}/enable`, {}))
  return name
}

/** By a plugin that is installed once for a tenant: nothing else sends what a tenant asks for. */
async function makeNotification(owner: Owner): Promise<string> {
  const known = notifiers.get(owner.tenantId) ?? useNotifier(owner)
  notifiers.set(owner.tenantId, known)
  return dataOf(await owner.api.post(`/tenant/plugins/${await known}/api/tell`))['id'] as unknown as string
}

/** A change that waits; one at a time, because an open one keeps others off its key. */
async function askForChange({ api, admin }: Owner): Promise<number> {
  const mode = (value: string): Promise<unknown> =>
    admin.put('/admin/configs/groups/platform_tenant_policy', { tenant_config_approval: value })
  const waiting = async (): Promise<readonly { readonly id: number }[]> =>
    dataOf(await api.get('/tenant/configs/changes?state=pending'))['items'] as unknown as readonly { id: number }[]
  for (const { id } of await waiting()) dataOf(await api.post(`/tenant/configs/changes/${id}/cancel`, {}))
  await mode('all')
  dataOf(await api.put('/tenant/configs/groups/tenant_basic', { icp: fresh() }), 202)
  await mode('off')
  return (await waiting())[0]?.id ?? 0
}

async function bindDomain({ api }: Owner): Promise<number> {
  return Number(dataOf(await api.post('/tenant/domains', { domain: `${fresh()}.example.com` }), 201)['id'])
}

async function makeMember(owner: Owner): Promise<readonly number[]> {
  const org = await makeOrg(owner)
  const user = await makeUser(owner)
  dataOf(await owner.api.put(`/tenant/orgs/${org}/members`, { user_ids: [user] }))
  return [org, user]
}

async function signInSomebody(owner: Owner): Promise<readonly (string | number)[]> {
  const user = await makeUser(owner)
  await owner.signIn(user)
  const page = dataOf(await owner.api.get(`/tenant/users/${user}/sessions`)) as unknown as { items: readonly Session[] }
  return [user, page.items[0]?.id ?? '']
}

async function makeAttachment({ api }: Owner): Promise<string> {
  return textOf((await uploaded(api, 'a.txt', Buffer.from('x')))['id'])
}

async function beginUpload({ api }: Owner): Promise<string> {
  const { headers } = await beginTus(api, 100, { filename: 'a.txt' })
  return textOf(headers['location']).split('/').at(-1) ?? ''
}

async function announceUpload({ api }: Owner): Promise<string> {
  const announced = await preflight(api, 'a.txt', Buffer.from(`bytes of ${fresh()}`))
  return textOf(dataOf(announced)['upload_id'])
}

const itemsOf = ({ items }: object & { readonly items?: unknown }) => items as readonly { readonly id: string }[]

/** Never sent: nothing of it is asked for but the log. */
const hookOf =
  (path: string, more: object): Maker =>
  async ({ api }) => {
    // A tenant has twenty at most, and nobody needs those of before.
    for (const { id } of itemsOf(dataOf(await api.get(path)))) dataOf(await api.delete(`${path}/${id}`))
    const hook = { name: fresh(), url: 'https://192.0.43.8/', ...more }
    const id = dataOf(await api.post(path, hook), 201)['id'] as unknown as string
    return [id]
  }
const makeHook = hookOf('/tenant/webhooks', { events: ['config.updated'] })
const makeOwnHook = hookOf('/notifications/webhooks', {})

/** Something that was sent to a hook that leads nowhere. */
const deliveryOf =
  (path: string, make: Maker): Maker =>
  async (owner) => {
    const [id = ''] = await make(owner)
    return [id, dataOf(await owner.api.post(`${path}/${id}/test`))['id'] as unknown as string]
  }
const makeDelivery = deliveryOf('/tenant/webhooks', makeHook)
const makeOwnDelivery = deliveryOf('/notifications/webhooks', makeOwnHook)

const single =
  (make: SingleMaker): Maker =>
  async (owner) => [await make(owner)]

/** What the parameters of a path stand for, by their names; a path with others fails until it is said here. */
export const makers: Readonly<Record<string, Maker>> = {
  user_id: single(makeUser),
  role_id: single(makeRole),
  org_id: single(makeOrg),
  invite_id: single(makeInvitation),
  session_id: single(beginSession),
  plugin_id: single(assignPlugin),
  change_id: single(askForChange),
  domain_id: single(bindDomain),
  notification_id: single(makeNotification),
  id: single(makeAttachment),
  tus_id: single(beginUpload),
  upload_id: single(announceUpload),
  provider_id: single(makeProvider),
  quota_id: single(makeQuota),
  server_id: single(makeMcpServer),
  key_id: single(makeKey),
  model_id: single(makeModel),
  route_id: single(makeRoute),
  rule_id: single(makeAlertRule),
  report_id: single(makeReport),
  announcement_id: single(announce),
  agent_id: single(makeAgent),
  conversation_id: async (owner) => [(await chat(owner)).conversation],
  run_id: async (owner) => [(await chat(owner)).run],
  message_id: async (owner) => [(await chat(owner)).message],
  'conversation_id,message_id': async (owner) => {
    const { conversation, message } = await chat(owner)
    return [conversation, message]
  },
  memory_id: single(makeMemory),
  knowledge_base_id: single(makeKnowledgeBase),
  document_id: async (owner) => (await makeDocument(owner)).slice(1),
  webhook_id: makeHook,
  own_webhook_id: makeOwnHook,
  delivery_id: async (owner) => (await makeDelivery(owner)).slice(1),
  own_delivery_id: async (owner) => (await makeOwnDelivery(owner)).slice(1),
  'webhook_id,delivery_id': makeDelivery,
  'own_webhook_id,own_delivery_id': makeOwnDelivery,
  'org_id,user_id': makeMember,
  'knowledge_base_id,document_id': makeDocument,
  'user_id,session_id': signInSomebody,
}

/** Parameters whose values are no tenant's own: the same names mean the same for everybody. */
export const common: Readonly<Record<string, string>> = {
  group_code: 'groups of the configuration are the catalogue’s',
  key: 'preferences have the same keys for everybody',
  namespace: 'the groups of listeners are the same for everybody',
}
