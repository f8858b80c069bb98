import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../support/until.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import type { Broken } from './cause.ts'
import { between } from './random.ts'
import { otherThan } from './work/work.ts'

const name = 'acme.late'

/** One host's disk is full while a plugin is installed at the other: there it runs, and here soon after there is room. */
export async function fillDisk({ world, host, ledger }: Broken): Promise<void> {
  const { disk } = world.hosts[host]
  if (!disk) return console.log('  (no disk of its own: mount needs root)')
  await disk.fill()
  const other = otherThan(host)
  const routes = { admin_routes: [{ method: 'GET', path: '/hi', handler: 'hi' }] }
  const zip = await packSmall(name, routes, '{ handlers: { hi: () => ({}) } }')
  await installAndEnable(world.admin(other), zip).catch((error: unknown) => ledger.fault(`install: ${String(error)}`))
  // No part of the load: it is not there yet where there is no room.
  const hi = (at: typeof host) => world.admin(at).get(`/admin/plugins/${name}/api/hi`)
  const elsewhere = await hi(other)
  if (elsewhere.status !== 200) ledger.fault(`not installed while another host’s disk is full: ${elsewhere.status}`)
  await sleep(5_000)
  await disk.free()
  const freed = Date.now()
  await until(async () => (await hi(host)).status === 200, 30_000).catch(() =>
    ledger.fault('it does not run though there is room'),
  )
  console.log(`  a plugin installed meanwhile runs ${Date.now() - freed} ms after there is room`)
  await world.admin(other).delete(`/admin/plugins/${name}?purge=true`)
}

/** The disk of the database's tables is full, or that of its log, over which the server ends; room is made, and whoever looks after it starts it. */
export async function fillPostgres({ world, ledger, random }: Broken, which: 'tables' | 'log'): Promise<void> {
  const { postgres } = world
  const disk = postgres.disks?.[which]
  if (!disk) return console.log('  (no disk of its own: mount needs root)')
  const over = Date.now() + between(random, 8_000, 15_000)
  do {
    await disk.fill()
    // Whatever was kept for later is used up.
    if (which === 'log') await postgres.rows('select pg_switch_wal()').catch(() => undefined)
    await sleep(200)
  } while (Date.now() < over)
  await disk.free()
  await postgres.start().catch((error: unknown) => ledger.fault(`PostgreSQL does not start: ${String(error)}`))
}
