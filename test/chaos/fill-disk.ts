import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../support/until.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import type { Broken } from './cause.ts'
import { otherThan } from './work/work.ts'

const NAME = 'acme.late'

/** One host's disk is full while a plugin is installed at the other: there it runs, and here soon after there is room. */
export async function fillDisk({ world, host, ledger }: Broken): Promise<void> {
  const { dataDir, hasOwnDisk } = world.hosts[host]
  if (!hasOwnDisk) return console.log('  (no disk of its own: mount needs root)')
  const file = path.join(dataDir, 'ballast')
  await fill(file)
  const other = otherThan(host)
  const routes = { admin_routes: [{ method: 'GET', path: '/hi', handler: 'hi' }] }
  const zip = await packSmall(NAME, routes, '{ handlers: { hi: () => ({}) } }')
  await installAndEnable(world.admin(other), zip).catch((error: unknown) => ledger.fault(`install: ${String(error)}`))
  // No part of the load: it is not there yet where there is no room.
  const hi = (at: typeof host) => world.admin(at).get(`/admin/plugins/${NAME}/api/hi`)
  const elsewhere = await hi(other)
  if (elsewhere.status !== 200) ledger.fault(`not installed while another host’s disk is full: ${elsewhere.status}`)
  await sleep(5_000)
  await rm(file)
  const freed = Date.now()
  await until(async () => (await hi(host)).status === 200, 30_000).catch(() =>
    ledger.fault('it does not run though there is room'),
  )
  console.log(`  a plugin installed meanwhile runs ${Date.now() - freed} ms after there is room`)
  await world.admin(other).delete(`/admin/plugins/${NAME}?purge=true`)
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w')
  try {
    for (const size of [1_048_576, 4096]) {
      const block = Buffer.alloc(size, 1)
      while (
        await handle.write(block).then(
          () => true,
          () => false,
        )
      )
        continue
    }
  } finally {
    await handle.close()
  }
}
