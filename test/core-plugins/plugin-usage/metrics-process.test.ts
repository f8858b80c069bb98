import assert from 'node:assert/strict'
import system from '../../../core-plugins/system/index.ts'
import type { Api } from '../../support/api.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const name = 'acme.figures'
const api = `/admin/plugins/${name}/api`
const definition = `{ handlers: { ok: () => 1, spin: () => { let sum = 0; for (let i = 0; i < 15e6; i++) sum += i; return sum > 0 } } }`

function packFigures(): Promise<Buffer> {
  const routes = ['ok', 'spin'].map((handler) => ({ method: 'POST', path: `/${handler}`, handler }))
  return packSmall(name, { admin_routes: routes, limits: { cpuMs: 3_000 } }, definition)
}

describe('the figures of a process', () => {
  let platform: Platform
  let admin: Api

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    await installAndEnable(admin, await packFigures())
  })
  after(() => platform[Symbol.asyncDispose]())

  it('are for administrators, and in the format of Prometheus', async () => {
    dataOf(await admin.post(`${api}/ok`))
    const { status, headers, body } = await admin.get('/metrics')
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; version=0.0.4; charset=utf-8'])
    const lines = (body as unknown as string).split('\n')
    assert.ok(lines.includes(`stoa_plugin_calls_total{plugin="${name}",tenant="0"} 1`), lines.join('\n'))
    assert.ok(lines.includes(`stoa_plugin_handler_calls_total{plugin="${name}",handler="handler ok"} 1`))
    assert.ok(lines.includes(`stoa_plugin_breaker{plugin="${name}",state="closed"} 1`))
    assert.ok(lines.some((line) => line.startsWith('stoa_process_resident_memory_bytes ')))
    const { owner } = await createTenant(admin, 'figures')
    const { api: anybody } = platform.host
    assert.deepEqual(
      [refusalOf(await anybody.get('/metrics')).code, refusalOf(await owner.get('/metrics')).code],
      [4010, 4033],
    )
  })

  it('tell administrators how the sandbox hosts of the host are', async () => {
    dataOf(await admin.post(`${api}/ok`))
    const { details, status } = dataOf(await admin.get('/admin/health'))
    const { hosts, resident_bytes: bytes, spares, ...sandbox } = details?.['sandbox'] ?? {}
    assert.deepEqual([status, sandbox], ['healthy', { status: 'healthy', running: 0, queued: 0, kills: 0 }])
    assert.ok(Number(hosts) >= 1 && Number(spares) >= 0 && Number(bytes) > 20_000_000, JSON.stringify(details))
  })

  it('are opened by METRICS_TOKEN and then by nothing else', async () => {
    const token = 'a-token-for-the-scraper'
    await using other = await startTestKernel({ plugins: [system], env: { METRICS_TOKEN: token } })
    const statuses = await Promise.all(
      [token, `${token}x`, admin.token, undefined].map(async (given) => {
        return (await other.api.get('/metrics', { token: given })).status
      }),
    )
    assert.deepEqual(statuses, [200, 401, 401, 401])
  })

  it('hold a plugin to a limit from the next call on, and show what holds', async () => {
    const group = '/admin/configs/groups/platform_plugin'
    dataOf(await admin.post(`${api}/spin`))
    dataOf(await admin.put(group, { plugin_cpu_ms: 10, plugin_memory_mb: 200, plugin_queue: 7 }))
    const refused = { status: 500, code: 5008, reason: 'sandbox_failed' }
    assert.deepEqual(refusalOf(await admin.post(`${api}/spin`)), refused)
    const { limits } = dataOf(await admin.get(`/plugins/${name}`))
    const { cpu_ms, memory_mb, queue, wall_ms, http_decode_ratio } = limits ?? {}
    assert.deepEqual([cpu_ms, memory_mb, queue, wall_ms, http_decode_ratio], [10, 200, 7, 10_000, 20])
    dataOf(await admin.put(group, { values: {}, reset: ['plugin_cpu_ms', 'plugin_memory_mb', 'plugin_queue'] }))
    assert.equal(Number(dataOf(await admin.get(`/plugins/${name}`))['limits']?.['cpu_ms']), 3_000)
    dataOf(await admin.post(`${api}/spin`))
  })
})
