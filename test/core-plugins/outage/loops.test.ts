// @both-back-ends
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { corePlugins } from '../../../core-plugins/index.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { checkout } from '../../support/host-process.ts'
import { silentLog, startTestKernel } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { serverOf, startTcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'
import { LoopWatch, type Complaint, type Loop } from './loops-world.ts'

/** How many loops each file starts with `scope.every`. All of them are driven here: a new one needs nothing but its row. */
const knownLoops: Readonly<Record<string, number>> = {
  'core-plugins/ai-ledger/holds/setup.ts': 5,
  'core-plugins/ai-ledger/keys/setup.ts': 1,
  'core-plugins/ai-ledger/usage/setup.ts': 2,
  'core-plugins/ai/setup.ts': 1,
  'core-plugins/ai/health/setup.ts': 5,
  'core-plugins/ai/invoke/setup.ts': 2,
  'core-plugins/ai/stats/setup.ts': 2,
  'core-plugins/ai/surfaces/setup.ts': 2,
  'core-plugins/attachments/images/setup.ts': 2,
  'core-plugins/attachments/setup.ts': 4,
  'core-plugins/auth/setup.ts': 1,
  'core-plugins/chat/setup.ts': 3,
  'core-plugins/jobs/setup.ts': 5,
  'core-plugins/knowledge/setup.ts': 1,
  'core-plugins/knowledge/vectors/catch-up.ts': 1,
  'core-plugins/mail/setup.ts': 1,
  'core-plugins/mcp/door/setup.ts': 1,
  'core-plugins/mcp/setup.ts': 1,
  'core-plugins/memory/setup.ts': 1,
  'core-plugins/notifications/setup.ts': 1,
  'core-plugins/plugin-events/setup.ts': 1,
  'core-plugins/plugin-index/setup.ts': 2,
  'core-plugins/plugin-jobs/setup.ts': 1,
  'core-plugins/plugin-licences/setup.ts': 3,
  'core-plugins/plugin-usage/setup.ts': 2,
  'core-plugins/plugin-schedules/setup.ts': 1,
  'core-plugins/plugins/following.ts': 6,
  'core-plugins/plugins/upgrades/start-upgrades.ts': 1,
  'core-plugins/realtime/setup.ts': 1,
  'core-plugins/retention/setup.ts': 1,
  'core-plugins/storage/setup.ts': 2,
  'core-plugins/system/setup.ts': 1,
  'core-plugins/tenants/erasure.ts': 1,
  'core-plugins/users/setup.ts': 1,
  'core-plugins/webhooks/setup.ts': 1,
}

/** Timers of another kind in the platform's process, and what holds them to the same. */
const timers: Readonly<Record<string, string>> = {
  'core-plugins/ai/connection/timer-wheel.ts': 'asks nobody; ends with the calls that it watches',
  'core-plugins/attachments/images/worker/image-worker.ts': 'asks nobody; ends with its image',
  'core-plugins/knowledge/reading/read-document.ts': 'looks at the memory of a process that reads a document',
  'core-plugins/plugins/operations/plugin-lock.ts': 'an outage log; ends with its operation',
  'core-plugins/realtime/stream/routes.ts': 'asks nobody; ends with its stream',
  'core-plugins/storage/objects/byte-holds.ts': 'says nothing; the next renewal makes up for one',
  'kernel/data/change-feed.ts': 'driven here: it turns each second',
  'kernel/data/own-time.ts': 'asks nobody',
  'kernel/data/redis-connection.ts': 'asks Redis; redis-outage.test.ts',
  'kernel/data/redis-locks.ts': 'asks Redis; a lock that cannot be renewed is lost',
  'kernel/data/silence-watch.ts': 'asks nobody',
  'kernel/http/idempotency-store.ts': 'says nothing; the next renewal makes up for one',
  'kernel/http/send-events.ts': 'asks nobody',
  'kernel/scope.ts': 'the loops above',
}

/** What is said for a loop whose turn throws. */
const repeated = 'repeated work failed'

describe('every background loop of the platform', () => {
  it('says at most one line of a database that is away, ends nothing, and goes on when it is back', async () => {
    await using resources = new AsyncDisposableStack()
    const watch = new LoopWatch()
    const plugins = corePlugins.filter(({ name }) => name !== 'first_run')
    const database = resources.use(await createTestDatabase(migratedFor(plugins, silentLog)))
    const wire = resources.use(await startTcpProxy(serverOf(database.url)))
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note)
    resources.defer(() => void process.off('unhandledRejection', note))
    const host = resources.use(
      await startTestKernel({
        databaseUrl: wire.through(database.url),
        plugins: plugins.map((plugin) => watch.watch(plugin)),
        log: watch.log(),
      }),
    )
    const { loops, complaints } = watch
    await turnedSince(watch, watch.turns())
    assert.deepEqual([complaints, loops.filter(({ failed }) => failed > 0)], [[], []])

    wire.cut()
    for (let turn = 0; turn < 3; turn++) await turnedSince(watch, watch.turns())
    const failing = loops.filter(({ failed }) => failed > 0)
    assert.ok(failing.length > loops.length / 2, 'hardly a loop has noticed that the database is away')
    assert.deepEqual(tooMuch(complaints, failing), [])
    wire.heal()
    // Turns that were under way may still fail, and those after them may not.
    await turnedSince(watch, watch.turns())
    const before = new Map(loops.map((loop) => [loop, loop.failed]))
    await turnedSince(watch, watch.turns())
    assert.deepEqual(
      loops.filter((loop) => loop.failed !== before.get(loop)),
      [],
    )
    await until(async () => (await host.api.get('/api/public/health')).status === 200, 30_000)
    assert.deepEqual(unhandled, [])
    const rows = Map.groupBy(loops, ({ file }) => file)
    assert.deepEqual(Object.fromEntries([...rows].map(([file, { length }]) => [file, length])), knownLoops)
  })

  it('is one of these, or a timer that is known here', () => {
    // What runs in browsers asks the platform, and none of what it stands on.
    const files = globSync('{kernel,core-plugins}/**/*.ts', { cwd: checkout }).filter((file) => !file.includes('/web/'))
    const timed = files.filter((file) => readFileSync(path.join(checkout, file), 'utf8').includes('setInterval('))
    assert.deepEqual(timed.sort(), Object.keys(timers).sort())
  })
})

/** Resolves when each loop has ended a turn that began after these. */
async function turnedSince({ loops }: LoopWatch, turns: ReadonlyMap<Loop, number>): Promise<void> {
  await until(() => loops.every((loop) => loop.ended > (turns.get(loop) ?? 0)), 60_000).catch(() =>
    assert.fail(JSON.stringify(loops.filter((loop) => loop.ended <= (turns.get(loop) ?? 0)))),
  )
}

/** What was said more than once: by a loop itself, for a loop that failed, or beside them all. */
function tooMuch(complaints: readonly Complaint[], failing: readonly Loop[]): readonly string[] {
  const said = Map.groupBy(complaints, ({ plugin, message }) => `${plugin}: ${message}`)
  return [...said].flatMap(([what, { length }]) => {
    const [plugin] = what.split(':')
    const most = what.endsWith(repeated) ? failing.filter((loop) => loop.plugin === plugin).length : 1
    return length > most ? [`${what}, ${length} times`] : []
  })
}
