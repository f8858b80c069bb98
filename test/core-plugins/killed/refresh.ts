import assert from 'node:assert/strict'
import type { Body } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { isAlive } from '../../support/processes.ts'
import type { HeldIndex } from './index.ts'
import type { QueryTrap } from './trap.ts'
import type { MortalPlatform } from './world.ts'

/** A source whose reading is killed, where, and whether the newer snapshot is kept by then. */
interface Reading {
  readonly source: string
  readonly title: string
  /** The file in the middle of which the index stops. */
  readonly file?: string
  readonly query?: Pick<QueryTrap, 'query' | 'when'>
  readonly isKept: boolean
}

const readings: readonly Reading[] = [
  {
    ...{ source: 'three', title: 'while a snapshot is saved', isKept: false },
    query: { query: '^insert into "plugin_source_files"', when: 'begin' },
  },
  {
    ...{ source: 'four', title: 'before a snapshot that is saved holds', isKept: false },
    query: { query: '^insert into "plugin_source_files"', when: 'inside' },
  },
  {
    ...{ source: 'five', title: 'before it is written down that it was read', isKept: true },
    query: { query: '^update "plugin_sources" set .*"checked_at"', when: 'begin' },
  },
  // A server that says nothing is given up soon: these come last. Files that did not change are not asked for.
  { source: 'one', title: 'in the middle of the list', file: '/one/index.json', isKept: false },
  { source: 'two', title: 'in the middle of the signature', file: '/two/index.json.sig', isKept: false },
]

/** Declares tests of one kill while many sources are read: each has what it had, or what there is to have, and no half of it. */
export function declareRefreshes(
  worldOf: () => { readonly platform: MortalPlatform; readonly index: HeldIndex },
): void {
  let was: number
  before(async () => {
    const { platform, index } = worldOf()
    if (!isAlive(platform.victim.pid)) await platform.restart()
    const admin = await platform.admin()
    for (const { source } of readings) await index.addTo(admin, source)
    was = (await sequenceOf(platform, 'three')).row
    await index.publish('acme.newer', 'first')
    const { victim } = platform
    await victim.set(
      ...readings.flatMap(({ source, query }) => (query ? [{ ...query, plugin: source, halt: 'hold' as const }] : [])),
    )
    const unanswered = []
    for (const { source, file } of readings) {
      const isHeld = file === undefined ? victim.held(source) : index.held(file)
      unanswered.push(admin.post(`/admin/plugins/sources/${source}/refresh`).catch(() => undefined))
      await isHeld
    }
    await victim.kill()
    assert.deepEqual([...new Set(await Promise.all(unanswered))], [undefined])
    if (platform.other === victim) await platform.restart()
  })

  for (const { source, title, isKept } of readings) {
    it(title, async () => {
      const { platform } = worldOf()
      const admin = await platform.admin(platform.other)
      const stored = await sequenceOf(platform, source)
      assert.deepEqual(stored, { row: stored.file, file: isKept ? was + 1 : was })
      const known = dataOf(await admin.get(`/admin/plugins/sources/${source}`))
      assert.deepEqual([known['sequence'], known['last_error']], [stored.row, null])
      const read: Body = dataOf(await admin.post(`/admin/plugins/sources/${source}/refresh`))
      assert.deepEqual([read['sequence'], read['status']], [was + 1, 'fresh'])
      assert.deepEqual(await sequenceOf(platform, source), { row: was + 1, file: was + 1 })
      dataOf(await admin.delete(`/admin/plugins/sources/${source}`))
    })
  }
}

/** Which snapshot a source has, as it says, and as the list that is kept of it says. */
async function sequenceOf({ db }: MortalPlatform, source: string): Promise<{ row: number; file: number }> {
  const row = await db('plugin_sources').where({ id: source }).first<{ sequence: string }>('sequence')
  const list = await db('plugin_source_files')
    .where({ source, name: 'index.json' })
    .first<{ content: Buffer }>('content')
  const { sequence } = JSON.parse(list.content.toString()) as { sequence: number }
  return { row: Number(row.sequence), file: sequence }
}
