import { expect, signIn, type BenchPlatform } from './bench-platform.ts'
import { latencies, median, type Shot } from './load.ts'
import { print } from './print.ts'

const nodes = 5_000
const rows = 500_000

/** Counts of a tenant's rows by somebody who reaches the whole organisation node by node, and by nobody's scope, in turns. */
export async function measureDataScope({ owner, tenantCode }: BenchPlatform): Promise<void> {
  const { id: root } = await expect(201, owner.post('/tenant/orgs', { name: 'Root' }))
  await expect(200, owner.post('/tenant/bench/rows', { root_id: root, nodes, rows }))
  const role = { code: 'counter', name: 'Counter', permissions: ['tenant_bench:count'] }
  await expect(201, owner.post('/tenant/roles', { ...role, data_scope: 'ORG_AND_CHILDREN' }))
  const user = { email: 'counter@bench.test', password: 'a counter of long words' }
  await expect(201, owner.post('/tenant/users', { ...user, roles: [role.code], org_ids: [root] }))
  const counter = await signIn(owner, '/auth/login/json', { ...user, tenant_code: tenantCode })
  const headers = { authorization: `Bearer ${counter.token ?? ''}` }
  const shot = (scoped: boolean): Shot => ({
    url: `${counter.url}/tenant/bench/rows?scoped=${scoped}`,
    method: 'GET',
    headers,
  })
  const seen = await expect(200, counter.get('/tenant/bench/rows?scoped=true'))
  if (seen['count'] !== rows || seen['nodes'] !== nodes) throw new Error(`counted ${JSON.stringify(seen)}`)
  const figures = { scoped: [] as number[], whole: [] as number[] }
  for (let round = 0; round < 12; round++) {
    figures.whole.push(...(await latencies(shot(false), 1)))
    figures.scoped.push(...(await latencies(shot(true), 1)))
  }
  const [scoped, whole] = [median(figures.scoped), median(figures.whole)]
  print(`count of ${rows} rows without a data scope, p50`, `${whole.toFixed(1)} ms`, 'the floor')
  print(`count within ${nodes} nodes / without a data scope`, (scoped / whole).toFixed(2), 'aim ≤ 2')
  await expect(200, owner.delete('/tenant/bench/rows'))
}
