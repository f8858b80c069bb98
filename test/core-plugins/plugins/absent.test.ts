import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createTenant, dataOf, refusalOf, startPlatform } from '../../support/platform.ts'
import { withSmallFiles } from '../../support/small-files.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { hostSecrets, leaveDatabase, ownHost, patience, smallFiles } from '../hosts/world.ts'

const mine = '/tenant/plugins/acme.right/api/hi'
const notThere = { status: 404, code: 4044, reason: 'route_not_found' }

describe('a plugin that a host has not loaded yet', () => {
  it('is answered with 503 for whom it is there, and its rights are known at once when it comes', async () => {
    await using first = await startPlatform({ env: hostSecrets })
    const { admin } = first
    const routes = [{ method: 'GET', path: '/hi', handler: 'hi', permission: 'view' }]
    const manifest = { permissions: [{ code: 'view', title: { default: 'View' } }], tenant_routes: routes }
    const files = { 'ui/large.txt': randomBytes(200_000).toString('hex') }
    const definition = '{ handlers: { hi: () => ({ hi: true }) } }'
    await installAndEnable(
      admin,
      await packSmall(
        'acme.right',
        { ...manifest, admin_routes: [{ ...routes[0], permission: undefined }] },
        definition,
        files,
      ),
    )
    const [one, two] = [await createTenant(admin, 'one'), await createTenant(admin, 'two')]
    dataOf(await admin.post('/plugins/acme.right/tenants', { tenant_ids: [one.id] }))
    dataOf(await one.owner.post('/tenant/plugins/acme.right/enable'))
    const { databaseUrl, namespace } = first.host
    await leaveDatabase(first)
    await using full = new AsyncDisposableStack()
    full.use(await withSmallFiles(smallFiles))
    await using second = await startPlatform({ databaseUrl, env: hostSecrets, namespace })
    const { url, api } = second.host
    await until(async () => (await ownHost(second.admin)).faults.length === 1, patience)
    const refused = await one.owner.at(url).get(mine)
    assert.deepEqual(
      [refusalOf(refused), refused.body['details'], refused.headers['retry-after']],
      [{ status: 503, code: 5035, reason: 'plugin_not_running' }, { cause: 'starting' }, '1'],
    )
    assert.equal((await second.admin.get('/admin/plugins/acme.right/api/hi')).status, 503)
    assert.equal((await second.admin.post('/admin/plugins/acme.right/api/whatever')).status, 503)
    assert.deepEqual(
      [
        refusalOf(await two.owner.at(url).get(mine)),
        refusalOf(await one.owner.at(url).get('/tenant/plugins/acme.nobody/api/hi')),
      ],
      [notThere, notThere],
    )
    assert.equal((await api.get(mine)).status, 401)
    // What a role may be given follows from what is installed, not from what this host runs.
    const permissions = ['plugin.acme.right:*', 'plugin.acme.right:view']
    dataOf(await one.owner.at(url).post('/tenant/roles', { code: 'viewer', name: 'Viewer', permissions }), 201)
    await full.disposeAsync()
    // Not once 403: what the owner holds does not depend on what this host runs.
    const statuses = new Set<number>()
    await until(async () => {
      const { status } = await one.owner.at(url).get(mine)
      statuses.add(status)
      return status === 200
    }, patience)
    assert.deepEqual(
      [...statuses].filter((status) => status !== 200 && status !== 503),
      [],
    )
    assert.deepEqual(refusalOf(await one.owner.at(url).get('/tenant/plugins/acme.right/api/other')), notThere)
    assert.equal((await one.owner.at(url).delete(mine)).status, 405)
  })
})
