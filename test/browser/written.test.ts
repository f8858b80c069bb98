import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api, Body } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { packSmall, upload } from '../support/small-plugin.ts'
import { definition, manifest } from './support/settings-plugin.ts'
import { admin, useActs, type Credentials } from './support/stage.ts'

const password = 'a long enough passphrase'
const owner: Credentials = { account: 'owner@written.test', password, tenant_code: 'written' }
const name = 'acme.written'
const place = `/admin/plugins/${name}`
const off = { tenant_config_approval: 'off' }
const policy = '/admin/configs/groups/platform_tenant_policy'
/** What no line may ever tell. */
const secrets = ['Wvz7-hidden-in-settings', 'Kqx3-first-of-somebody', 'Jyb9-second-of-somebody'] as const

type Facts = Readonly<Record<string, unknown>>
/** A line of the log, and what of the record it has to tell; a record that was not there before is null. */
interface Line {
  readonly log: 'admin' | 'tenant'
  readonly id: number
  readonly action: string
  readonly before: Facts | null
  readonly after: Facts | null
}

describe('what is written into the audit log', () => {
  const acts = useActs()
  let staff: Api
  let by: Api
  let tenant = 0
  const lines: Line[] = []

  before(async () => {
    staff = await acts.stage.staff()
    const first = { email: owner.account, password }
    const wish = { code: owner.tenant_code, name: 'Written', owner: first }
    tenant = Number(dataOf(await staff.post('/admin/tenants', wish), 201)['id'])
    const { api } = acts.stage.host
    by = api.as(dataOf(await api.post('/auth/login/json', owner))['access_token'])
  })
  after(async () => {
    dataOf(await staff.put(policy, off))
    await staff.delete(`${place}?purge=true`)
    await staff.delete(`/admin/tenants/${tenant}`)
  })

  it('48: each write of points 24 to 30 is there with who, what, before and after, and never a secret', async () => {
    await plugin()
    await settings()
    await decisions()
    await people()
    await roles()
    await nodes()
    await removal()
    assert.ok(lines.length >= 25)
    const tabs = {
      admin: await acts.tab(await acts.signedIn()),
      tenant: await acts.tab(await acts.signedIn(owner)),
    }
    for (const line of lines) await isTold(tabs[line.log], line)
    // Nor does what is taken out of it as a file tell one.
    const { body } = await by.get('/tenant/audit-logs/export')
    const text = body as unknown as string
    assert.match(text, /tenant_user.created/)
    assert.deepEqual(
      secrets.filter((secret) => text.includes(secret)),
      [],
    )
  })

  /** Opens the line, and compares what it tells with what was done. */
  async function isTold(page: Page, { log, id, action, before, after }: Line): Promise<void> {
    await page.goto(acts.at(`/${log}/audit-logs?action=${action}&entry=${id}`))
    const dialog = page.getByRole('dialog')
    await dialog.locator('del, ins').first().waitFor()
    await dialog.getByText(action, { exact: true }).waitFor()
    const who = log === 'admin' ? admin.email : owner.account
    await dialog.getByText(who, { exact: true }).first().waitFor()
    const told = JSON.parse((await dialog.locator('pre').textContent()) ?? '') as Pick<Line, 'before' | 'after'>
    const shown = { before: partOf(told.before, before), after: partOf(told.after, after) }
    assert.deepEqual(shown, { before, after }, `${action} tells ${JSON.stringify(told)}`)
    const html = await page.content()
    assert.deepEqual(
      secrets.filter((secret) => html.includes(secret)),
      [],
    )
  }
  function partOf(told: Facts | null, wanted: Facts | null): Facts | null {
    return told && wanted && Object.fromEntries(Object.keys(wanted).map((key) => [key, told[key]]))
  }
  /** The newest line of this about that is the one of what was done. */
  async function wrote(log: Line['log'], action: string, target: string, before: Facts | null, after: Facts | null) {
    const query = new URLSearchParams({ action, target, limit: '1' }).toString()
    const { items } = dataOf(await (log === 'admin' ? staff : by).get(`/${log}/audit-logs?${query}`)) as unknown as {
      readonly items: readonly { readonly id: number }[]
    }
    lines.push({ log, id: items[0]?.id ?? assert.fail(`no ${action} of ${target}`), action, before, after })
  }

  /** 26 and 27: installed, allowed, upgraded, back again. */
  async function plugin(): Promise<void> {
    const target = `plugin:${name}`
    const installed = dataOf(await upload(staff, await packSmall(name, manifest, definition)), 201)
    await wrote('admin', 'plugin.installed', target, null, { version: '1.0.0', status: 'awaiting_consent' })
    await answer(installed, true)
    await wrote('admin', 'plugin.consent_given', target, null, { capabilities: ['config', 'routes', 'limits'] })
    dataOf(await staff.post(`${place}/enable`))
    await wrote('admin', 'plugin.enabled', target, { status: 'installed' }, { status: 'enabled' })
    dataOf(await staff.post(`${place}/tenants`, { tenant_ids: [tenant] }))
    await wrote('admin', 'plugin.assigned', target, null, { tenant_ids: [tenant] })
    dataOf(await by.post(`/tenant/plugins/${name}/enable`))
    await wrote('tenant', 'plugin.enabled_by_tenant', target, null, { denied: [] })
    for (const accept of [false, true]) {
      const more = { ...manifest, version: '1.1.0', capabilities: ['config', 'storage'] }
      const content = await packSmall(name, { ...more, reasons: { config: 'Is set.', storage: 'Keeps.' } }, definition)
      const file = { field: 'file', name: 'a.plugin.zip', content }
      await answer(dataOf(await staff.call('POST', `${place}/upgrade`, { file })), accept)
      const action = accept ? 'plugin.consent_given' : 'plugin.consent_refused'
      await wrote('admin', action, target, null, accept ? { capabilities: ['storage'] } : {})
    }
    await wrote('admin', 'plugin.upgraded', target, { version: '1.0.0' }, { version: '1.1.0' })
    dataOf(await staff.post(`${place}/rollback`, {}))
    await wrote('admin', 'plugin.rolled_back', target, { version: '1.1.0' }, { version: '1.0.0' })
  }
  async function answer(asked: Body, accept: boolean): Promise<void> {
    const { release_hash, diff_hash } = asked['consent'] ?? assert.fail('nothing is asked for')
    dataOf(await staff.post(`${place}/consent`, { accept, release_hash, diff_hash }))
  }
  /** 28. */
  async function removal(): Promise<void> {
    const target = `plugin:${name}`
    dataOf(await staff.post(`${place}/disable`, {}))
    await wrote('admin', 'plugin.disabled', target, { status: 'enabled' }, { status: 'installed' })
    dataOf(await staff.delete(`${place}?purge=true`))
    await wrote('admin', 'plugin.uninstalled', target, { version: '1.0.0' }, { purge: true })
  }
  /** 24. */
  async function settings(): Promise<void> {
    const path = `/tenant/configs/groups/plugin.${name}`
    const target = `config:plugin.${name}`
    const items = dataOf(await by.get(path))['items'] as unknown as readonly { readonly key: string }[]
    const keyOf = (end: string) => items.find(({ key }) => key.endsWith(end))?.key ?? assert.fail(end)
    const [line, secret] = [keyOf('_line'), keyOf('_secret')]
    dataOf(await by.put(path, { [line]: 'hello', [secret]: secrets[0] }))
    const set = { [line]: 'hello', [secret]: '********' }
    await wrote('tenant', 'config.changed', target, { [line]: 'a', [secret]: '' }, set)
    dataOf(await by.put(path, { [secret]: '' }))
    await wrote('tenant', 'config.changed', target, { [secret]: '********' }, { [secret]: null })
    dataOf(await by.put(path, { reset: [line] }))
    await wrote('tenant', 'config.changed', target, { [line]: 'hello' }, { [line]: null })
  }
  /** 25. */
  async function decisions(): Promise<void> {
    dataOf(await staff.put(policy, { tenant_config_approval: 'all' }))
    await wrote('admin', 'config.changed', 'config:platform_tenant_policy', off, { tenant_config_approval: 'all' })
    for (const [verb, before] of [
      ['approve', ''],
      ['reject', 'approve'],
    ] as const) {
      const [was, is] = [{ footer_copyright: before }, { footer_copyright: verb }]
      dataOf(await by.put('/tenant/configs/groups/tenant_basic', is), 202)
      await wrote('tenant', 'config.change_requested', 'config:tenant_basic', was, is)
      const { items } = dataOf(await staff.get('/admin/configs/changes?state=pending')) as unknown as {
        readonly items: readonly { readonly id: number; readonly tenant_id: number }[]
      }
      const id = items.find((change) => change.tenant_id === tenant)?.id
      dataOf(await staff.post(`/admin/configs/changes/${id}/${verb}`, { reason: 'So it is.' }))
      const state = verb === 'approve' ? 'approved' : 'rejected'
      const decided = { state, tenant_id: tenant, keys: ['footer_copyright'], reason: 'So it is.' }
      await wrote('admin', `config.change_${state}`, `config_change:${id}`, { state: 'pending' }, decided)
    }
    dataOf(await staff.put(policy, off))
  }
  /** 29. */
  async function people(): Promise<void> {
    const user = { email: 'somebody@written.test', password: secrets[1], nickname: 'Somebody', roles: ['tenant_user'] }
    const id = Number(dataOf(await by.post('/tenant/users', user), 201)['id'])
    const target = `user:${id}`
    await wrote('tenant', 'tenant_user.created', target, null, { email: user.email, roles: user.roles })
    const change = async (body: Facts, before: Facts, after: Facts) => {
      dataOf(await by.put(`/tenant/users/${id}`, body))
      await wrote('tenant', 'tenant_user.updated', target, before, after)
    }
    await change({ status: 'disabled' }, { status: 'active' }, { status: 'disabled' })
    await change({ status: 'active' }, { status: 'disabled' }, { status: 'active' })
    const [one, both] = [{ roles: ['tenant_user'] }, { roles: ['org_admin', 'tenant_user'] }]
    await change({ add_roles: ['org_admin'] }, one, both)
    await change({ remove_roles: ['org_admin'] }, both, one)
    dataOf(await by.post(`/tenant/users/${id}/reset-password`, { password: secrets[2], notify: false }))
    dataOf(await by.delete(`/tenant/users/${id}`))
    await wrote('tenant', 'tenant_user.deleted', target, { email: user.email }, null)
  }
  /** 30. */
  async function roles(): Promise<void> {
    const wish = { code: 'written', name: 'Written', permissions: [] as string[], data_scope: 'ALL' }
    const id = Number(dataOf(await by.post('/tenant/roles', wish), 201)['id'])
    await wrote('tenant', 'tenant_role.created', `role:${id}`, null, wish)
    const [before, after] = [
      { permissions: [], data_scope: 'ALL' },
      { permissions: ['tenant_domain:*', 'tenant_user:list'], data_scope: 'ORG_ONLY' },
    ]
    dataOf(await by.put(`/tenant/roles/${id}`, after))
    await wrote('tenant', 'tenant_role.updated', `role:${id}`, before, after)
    dataOf(await by.delete(`/tenant/roles/${id}`))
    await wrote('tenant', 'tenant_role.deleted', `role:${id}`, after, null)
  }
  /** 30. */
  async function nodes(): Promise<void> {
    const add = async (name: string) =>
      Number(dataOf(await by.post('/tenant/orgs', { name, parent_id: null }), 201)['id'])
    const [above, id] = [await add('Above'), await add('Below')]
    const target = `org:${id}`
    await wrote('tenant', 'tenant_org.created', target, null, { name: 'Below', parent_id: null })
    dataOf(await by.put(`/tenant/orgs/${id}`, { name: 'Under' }))
    await wrote('tenant', 'tenant_org.updated', target, { name: 'Below' }, { name: 'Under' })
    dataOf(await by.post(`/tenant/orgs/${id}/move`, { parent_id: above }))
    await wrote('tenant', 'tenant_org.moved', target, { parent_id: null }, { parent_id: above })
    dataOf(await by.delete(`/tenant/orgs/${id}`))
    await wrote('tenant', 'tenant_org.deleted', target, { name: 'Under', parent_id: above }, null)
  }
})
