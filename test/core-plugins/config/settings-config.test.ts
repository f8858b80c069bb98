import assert from 'node:assert/strict'
import { sandboxLimits } from '../../../sandbox/limits.ts'
import type { Answer, Api, Body } from '../../support/api.ts'
import { itemsOf } from '../../support/configuration.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { fixedOptions, platformGroups, type ExpectedGroup } from './settings-config-catalogue.ts'
import { tenantGroups } from './settings-config-tenants.ts'

type Tree = readonly { readonly code: string; readonly children: Tree }[]

describe('the catalogue over HTTP', () => {
  let platform: Platform
  let admin: Api
  let owner: Api
  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    owner = (await createTenant(admin, 'acme')).owner
  })
  after(() => platform[Symbol.asyncDispose]())

  const tables: readonly [string, () => Api, readonly ExpectedGroup[], string][] = [
    ['platform', () => admin, platformGroups, 'ADMIN_ONLY'],
    ['tenant', () => owner, tenantGroups, 'ALL_TENANTS'],
  ]
  for (const [who, api, groups, scope] of tables) {
    for (const [code, parent, expected] of groups) {
      it(`has ${code} for the ${who}, item by item`, async () => {
        const answer = await api().get(`/configs/groups/${code}`)
        const shown = itemsOf(answer)
        assert.equal((dataOf(answer)['group'] as Body)['parent_code'], parent)
        for (const [key, type, start, flags = '', rules = {}] of expected) {
          const { [key]: item } = shown
          assert.ok(item, `${key} is missing`)
          const has = (flag: string): boolean => flags.includes(flag)
          const facts = { type: item['type'], scope: item['scope'], default: item['default'], public: item['public'] }
          assert.deepEqual(facts, { type, scope, default: start, public: has('P') }, key)
          assert.equal(item['dynamic_options'], has('D'), key)
          if (has('R')) assert.equal(item['required'], true, key)
          assert.deepEqual({ ...item['rules'], ...rules }, item['rules'], key)
          const values = (item['options'] as unknown as readonly { value: string }[]).map(({ value }) => value)
          if (key in fixedOptions) assert.deepEqual(values, fixedOptions[key], key)
        }
      })
    }

    it(`nests every group of the ${who} where the table has it`, async () => {
      const tree = dataOf(await api().get('/configs/groups'))['items'] as unknown as Tree
      const places = new Map(placesOf(tree, null))
      for (const [code, parent] of groups) assert.equal(places.get(code), parent, code)
    })
  }

  it('has an item for every limit of a plugin that may be raised, from its default to its most', async () => {
    const shown = itemsOf(await admin.get('/configs/groups/platform_plugin'))
    for (const [name, { default: start, max }] of Object.entries(sandboxLimits)) {
      const key = `plugin_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
      if (!shown[key] && start === max) continue
      assert.deepEqual([shown[key]?.['default'], (shown[key]?.['rules'] as Body)['max']], [start, max], key)
    }
  })

  it('says who lists the options that are known only while the platform runs', async () => {
    const roles = ['reader', 'manager']
    const permissions = [['user_profile:read'], ['tenant_user:list']]
    for (const [at, code] of roles.entries()) {
      dataOf(await owner.post('/tenant/roles', { code, name: code, permissions: permissions[at] }), 201)
    }
    const login = await owner.get('/tenant/configs/groups/tenant_login')
    const { default_role: item } = itemsOf(login)
    const offered = item?.['options'] as unknown as readonly { value: string; disabled: boolean }[]
    assert.equal(item?.['options_source'], 'access.roles')
    assert.deepEqual(
      offered.map(({ value, disabled }) => `${value}${disabled ? ' not' : ''}`),
      [
        ...['manager not', 'org_admin not', 'reader', 'tenant_admin not'],
        ...['tenant_guest', 'tenant_owner not', 'tenant_user'],
      ],
    )
    const sources = await Promise.all([
      admin.get('/configs/groups/platform_captcha').then((answer) => itemsOf(answer)['captcha_provider']),
      admin.get('/configs/groups/platform_storage').then((answer) => itemsOf(answer)['storage_driver']),
      owner.get('/configs/groups/tenant_captcha').then((answer) => itemsOf(answer)['captcha_provider']),
    ])
    const valuesOf = (each: Body | undefined) =>
      (each?.['options'] as unknown as readonly { value: string }[]).map(({ value }) => value)
    assert.deepEqual(
      sources.map((each) => [each?.['options_source'], valuesOf(each)]),
      [
        ['captcha.providers', ['image']],
        ['storage.drivers', ['local', 's3']],
        ['captcha.providers', ['image']],
      ],
    )
  })

  it('gives newcomers only a role that is there and is no more than users have', async () => {
    const choose = (by: Api, role: string): Promise<Answer> =>
      by.put('/configs/groups/tenant_login', { default_role: role })
    const refused = await Promise.all(['gone', 'tenant_admin', 'tenant_owner'].map((role) => choose(owner, role)))
    const rules = refused.map(({ status, body }) => [status, body['code'], body['errors']?.['0']?.['rule']])
    assert.deepEqual(rules, Array(3).fill([422, 4222, 'options']))
    assert.equal((await choose(owner, 'tenant_user')).status, 200)
    // What the platform chooses is for every tenant.
    const answer = await admin.put('/configs/groups/tenant_login', { default_role: 'reader' })
    assert.deepEqual([answer.status, answer.body['code']], [422, 4222])
  })

  it('asks for exactly the permissions of the table, on the bare path too', async () => {
    const calls = [
      ['get', '/groups', 'tenant_config:groups'],
      ['get', '/groups/tenant_basic', 'tenant_config:detail'],
      ['put', '/groups/tenant_basic', 'tenant_config:update'],
      ['get', '/changes', 'tenant_config:update'],
      ['get', '/storage/status', 'tenant_config:groups'],
      ['get', '/storage/drivers', 'tenant_config:groups'],
      ['put', '/storage', 'tenant_config:update'],
      ['post', '/storage/test-connection', 'tenant_config:update'],
    ] as const
    for (const permission of ['tenant_config:groups', 'tenant_config:detail', 'tenant_config:update']) {
      const user = await createUser(owner, 'acme', [permission])
      for (const prefix of ['/configs', '/tenant/configs']) {
        const answers = calls.map(async ([method, path, needed]) => {
          const { status, body } = await (method === 'get' ? user.get(prefix + path) : user[method](prefix + path, {}))
          return [path, needed === permission, status === 403, body['details']?.['permission'] ?? needed]
        })
        const expected = calls.map(([, path, needed]) => [path, needed === permission, needed !== permission, needed])
        assert.deepEqual(await Promise.all(answers), expected, permission)
      }
    }
  })

  it('answers 403/4033 where the path is of the other scope', async () => {
    const answers = await Promise.all([
      owner.get('/admin/configs/groups'),
      owner.put('/admin/configs/groups/platform_basic', {}),
      owner.get('/configs/platform-ssl/dns-readiness'),
      owner.post('/configs/generate-fernet-key'),
      admin.get('/tenant/configs/groups'),
      admin.get('/tenant/configs/groups/tenant_basic'),
      admin.get('/configs/storage/status'),
      admin.put('/configs/storage', { driver: null }),
    ])
    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${String(body['code'] as unknown)}`),
      Array(8).fill('403 4033'),
    )
  })

  it('reads a tenant’s subdomain from its row, wherever it is asked', async () => {
    const detail = itemsOf(await owner.get('/tenant/configs/groups/tenant_domain'))['subdomain']
    assert.deepEqual([detail?.['value'], detail?.['source'], detail?.['readonly']], ['acme', 'tenant', true])
    const { subdomain } = dataOf(await owner.get('/api/public/tenant/config', { host: 'acme.localhost' }))
    assert.equal(subdomain, 'acme')
  })
})

function placesOf(tree: Tree, parent: string | null): [string, string | null][] {
  return tree.flatMap(({ code, children }): [string, string | null][] => [[code, parent], ...placesOf(children, code)])
}
