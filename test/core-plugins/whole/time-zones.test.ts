import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../../support/api.ts'
import { errorsOf, itemsOf } from '../../support/configuration.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'

type Schema = { readonly format?: string }

describe('a time zone', () => {
  let platform: Platform
  let owner: Api
  let user: number
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'acme')).owner
    const member = { email: 'ann@acme.test', password: 'a long enough passphrase', roles: [] }
    user = Number(dataOf(await owner.post('/tenant/users', member), 201)['id'])
  })
  after(() => platform[Symbol.asyncDispose]())

  const places: readonly [string, string, (zone: string) => Promise<Answer>][] = [
    ['a user', 'timezone', (timezone) => owner.put(`/tenant/users/${user}`, { timezone })],
    ['the own profile', 'timezone', (timezone) => owner.put('/auth/profile', { timezone })],
    ['a preference', 'timezone', (timezone) => owner.put('/preferences', { timezone })],
    ['a tenant', 'timezone', (timezone) => owner.put('/tenant/configs/groups/tenant_basic', { timezone })],
    [
      'the platform',
      'default_timezone',
      (zone) => platform.admin.put('/admin/configs/groups/platform_basic', { default_timezone: zone }),
    ],
    [
      'the schedule of backups',
      'backup_timezone',
      (zone) => platform.admin.put('/admin/configs/groups/platform_backup', { backup_timezone: zone }),
    ],
  ]
  for (const [whose, field, write] of places) {
    it(`of ${whose} is one that exists`, async () => {
      for (const zone of ['Mars/Olympus', '+02:00', 'Etc/../UTC', 'UTC+1']) {
        const [status, , faults] = errorsOf(await write(zone)) as [number, number, readonly string[]]
        assert.deepEqual([status, faults], [422, [`${field} format`]], zone)
      }
      assert.equal((await write('Asia/Shanghai')).status, 200)
    })
  }

  it('is checked wherever a route takes one', async () => {
    const { body } = await platform.admin.get('/openapi.json')
    const schemas = zonesIn({ paths: body['paths'], components: body['components'] }).filter(({ path }) => {
      return path.includes('requestBody') || path.includes('parameters')
    })
    assert.deepEqual(
      schemas.filter(({ schema }) => schema.format !== 'time-zone').map(({ path }) => path),
      [],
    )
    assert.ok(schemas.length >= 2, 'the document was not read')
  })

  it('is checked wherever a setting is one', async () => {
    const groups = [
      ...(await groupsOf(platform.admin, '/admin/configs/groups')),
      ...(await groupsOf(owner, '/tenant/configs/groups')),
    ]
    const zones = groups.flatMap((group) => Object.entries(group)).filter(([key]) => /time_?zone/.test(key))
    assert.deepEqual(new Set(zones.map(([, item]) => item['rules']?.['format'])), new Set(['time-zone']))
    assert.ok(zones.length >= 3, 'the settings were not read')
  })
})

/** Every property whose name says that it is a time zone, with where it stands. */
function zonesIn(value: unknown, path = ''): readonly { readonly path: string; readonly schema: Schema }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, below]) => {
    const here = `${path}/${key}`
    const isZone = path.endsWith('/properties') && /time_?zone/.test(key)
    return isZone ? [{ path: here, schema: below as Schema }] : zonesIn(below, here)
  })
}

async function groupsOf(api: Api, path: string): Promise<readonly Readonly<Record<string, Body>>[]> {
  const codes = codesOf(dataOf(await api.get(path))['items'])
  return Promise.all(codes.map(async (code) => itemsOf(await api.get(`${path}/${code}`))))
}

function codesOf(tree: unknown): readonly string[] {
  const groups = tree as readonly { readonly code: string; readonly children: unknown }[]
  return groups.flatMap(({ code, children }) => [code, ...codesOf(children)])
}
