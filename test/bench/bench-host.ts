import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import AdmZip from 'adm-zip'
import { defineRoute, type Route, type Scope } from '#kernel'
import { collectGarbage } from './collect-garbage.ts'

const body = { type: 'object', required: ['zip'], properties: { zip: { type: 'string' } } } as const
const microseconds = 1_000

/** What a host tells the benches of itself: how long its loop stood still, and what an install takes at the very least. */
export function hostRoutes({ db }: Scope): readonly Route[] {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const shared = { method: 'post', auth: 'platform' } as const
  return [
    defineRoute({
      ...shared,
      path: '/bench/loop',
      summary: 'The longest time that the loop stood still since it was asked last',
      handler() {
        // The resolution is part of every figure.
        const longest = delay.max / microseconds / microseconds - 5
        delay.reset()
        return { milliseconds: Math.max(longest, 0) }
      },
    }),
    defineRoute({
      ...shared,
      path: '/bench/cpu',
      summary: 'The processor time of the process so far',
      handler() {
        const { user, system } = process.cpuUsage()
        return { milliseconds: (user + system) / microseconds }
      },
    }),
    defineRoute({
      ...shared,
      path: '/bench/memory',
      summary: 'The memory of the process after what is not used was let go',
      handler() {
        collectGarbage()
        return { bytes: process.memoryUsage.rss() }
      },
    }),
    defineRoute({
      ...shared,
      path: '/bench/install-floor',
      summary: 'Unpacks, hashes and writes a package and keeps its bytes',
      schema: { body },
      async handler({ body: { zip } }) {
        const started = performance.now()
        await unpack(zip, db)
        return { milliseconds: performance.now() - started }
      },
    }),
  ]
}

async function unpack(zip: string, db: Scope['db']): Promise<void> {
  const folder = path.join(tmpdir(), `stoa-floor-${randomUUID()}`)
  const archive = new AdmZip(zip)
  try {
    for (const entry of archive.getEntries()) {
      const data = entry.getData()
      createHash('sha256').update(data).digest('hex')
      const target = path.join(folder, entry.entryName)
      await mkdir(path.dirname(target), { recursive: true })
      await writeFile(target, data, { flush: true })
    }
    await db.transaction(async (trx) => {
      await trx.raw('create table bench_floor (bytes bytea)')
      await trx('bench_floor').insert({ bytes: archive.toBuffer() })
      await trx.raw('drop table bench_floor')
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
