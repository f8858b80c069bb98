// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { AppError, OutcomeUnknownError } from '#kernel'
import pluginsPlugin from '../../../core-plugins/plugins/index.ts'
import { OperationTakenOverError } from '../../../core-plugins/plugins/shared/errors.ts'
import { Endings } from '../../../core-plugins/plugins/operations/endings.ts'
import { Operation } from '../../../core-plugins/plugins/operations/operation.ts'
import { acquirePluginLock, type PluginLock } from '../../../core-plugins/plugins/operations/plugin-lock.ts'
import { finishSteps, runSteps, undoSteps } from '../../../core-plugins/plugins/operations/run-steps.ts'
import type { Recorded, Step } from '../../../core-plugins/plugins/operations/step.ts'
import { cleanupSteps } from '../../../core-plugins/plugins/removal/cleanup-steps.ts'
import { rollbackSteps } from '../../../core-plugins/plugins/rollbacks/rollback-steps.ts'
import { upgradeSteps } from '../../../core-plugins/plugins/upgrades/upgrade-steps.ts'
import { openDatabase, type Database } from '../../../kernel/data/database.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { scenarios } from '../killed/scenarios.ts'
import { sourceScenarios } from '../killed/source-scenarios.ts'

interface Work extends Recorded {
  /** The way that it goes. */
  readonly asks: boolean
}

function isAsking({ asks }: Work): boolean {
  return asks
}

describe('an operation that is a list of steps', () => {
  let test: TestDatabase
  let database: Database
  let db: Knex
  let lock: PluginLock
  let operation: Operation
  let work: Work
  /** What happened, in order. */
  let seen: string[]
  /** What is thrown by the step, or the undoing, of this name. */
  let failing: Record<string, Error>

  async function at(name: string): Promise<string> {
    await Promise.resolve()
    seen.push(name)
    const error = failing[name]
    if (error) throw error
    return name
  }
  const steps: readonly Step<Work, Recorded>[] = [
    { name: 'first', prepare: () => at('first'), undo: async () => void (await at('not first')) },
    { name: 'second', change: () => at('second'), undo: async () => void (await at('not second')) },
    { name: 'ask', when: isAsking, commit: () => at('ask') },
    { name: 'third', prepare: () => at('third'), undo: async () => void (await at('not third')) },
    { name: 'switch', commit: () => at('switch'), tell: async () => void (await at('told')) },
    { name: 'follow', finish: () => at('follow') },
    { name: 'never', when: () => false, finish: () => at('never') },
    { name: 'tidy', finishChange: () => at('tidy') },
  ]

  before(async () => {
    test = await createTestDatabase(migratedFor([pluginsPlugin], silentLog))
    database = await openDatabase({ url: test.url, poolSize: 4, log: silentLog })
    db = database.knex
  })
  after(async () => {
    await database[Symbol.asyncDispose]()
    await test[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    const id = randomUUID()
    const plugin = 'acme.steps'
    lock = await acquirePluginLock(db, { plugin, operationId: id, holder: 'one' }, silentLog)
    await db('plugin_operations').insert({ id, plugin, kind: 'upgrade', fencing: lock.fencing })
    operation = await read(id)
    work = { operation, parts: { log: silentLog }, asks: false }
    seen = []
    failing = {}
  })
  afterEach(() => lock[Symbol.asyncDispose]())

  /** The operation as whoever takes it over reads it. */
  async function read(id: string): Promise<Operation> {
    const row = await db('plugin_operations').where({ id }).first<{
      readonly committed: boolean
      readonly step: string | null
      readonly steps: { step: string; at: string }[]
    }>()
    const facts = { id, plugin: 'acme.steps', kind: 'upgrade', actor: null, options: {}, fromRelease: null } as const
    const { signal } = new AbortController()
    const { committed, step, steps } = row
    const parts = { db, lock, signal, onStep: () => Promise.resolve() }
    return new Operation({ ...facts, committed, step, steps, startedAt: new Date() }, parts)
  }

  it('does what is before the commit, the commit, and what follows it, and records each', async () => {
    await runSteps(steps, work)
    assert.deepEqual(seen, ['first', 'second', 'third', 'switch', 'told', 'follow', 'tidy'])
    const { steps: recorded } = await db('plugin_operations')
      .where({ id: operation.id })
      .first<{ steps: { step: string; result: string }[] }>()
    assert.deepEqual(
      recorded.map(({ step, result }) => [step, result]),
      ['first', 'second', 'third', 'switch', 'follow', 'tidy'].map((name) => [name, name]),
    )
  })

  it('ends with the commit that another way has, without what follows the other one', async () => {
    await runSteps(steps, { ...work, asks: true })
    assert.deepEqual(seen, ['first', 'second', 'ask'])
    await finishSteps(steps, { ...work, operation: await read(operation.id) })
    assert.deepEqual(seen, ['first', 'second', 'ask'])
  })

  it('undoes what had begun when a step fails, the last first', async () => {
    failing = { third: new Error('no') }
    await assert.rejects(runSteps(steps, work), { message: 'no' })
    assert.deepEqual(seen, ['first', 'second', 'third', 'not third', 'not second', 'not first'])
    assert.deepEqual([operation.committed, operation.isLeft], [false, false])
  })

  it('does not undo what had not begun', async () => {
    failing = { first: new Error('no') }
    await assert.rejects(runSteps(steps, work), { message: 'no' })
    assert.deepEqual(seen, ['first', 'not first'])
  })

  it('is left to whoever recovers it when it cannot be undone, who undoes it from its record', async () => {
    failing = { switch: new Error('no'), 'not second': new Error('not now') }
    await assert.rejects(runSteps(steps, work), { message: 'no' })
    assert.equal(operation.isLeft, true)
    failing = {}
    seen = []
    await undoSteps(steps, { ...work, operation: await read(operation.id) })
    assert.deepEqual(seen, ['not third', 'not second', 'not first'])
  })

  it('is not undone when nobody knows whether it was committed, but left', async () => {
    failing = { switch: new OutcomeUnknownError() }
    await assert.rejects(runSteps(steps, work), OutcomeUnknownError)
    assert.deepEqual(seen, ['first', 'second', 'third', 'switch'])
    assert.deepEqual([operation.committed, operation.isLeft], [false, true])
  })

  it('is not undone once it was committed, though nobody could be told', async () => {
    failing = { told: new Error('nobody hears it') }
    await assert.rejects(runSteps(steps, work), /nobody hears it/)
    assert.deepEqual([seen.slice(3), operation.committed], [['switch', 'told'], true])
  })

  it('is not undone by a host that lost it', async () => {
    failing = { third: new OperationTakenOverError() }
    await assert.rejects(runSteps(steps, work), OperationTakenOverError)
    assert.deepEqual(seen, ['first', 'second', 'third'])
  })

  it('is finished by whoever takes it over, from the step where it was', async () => {
    failing = { tidy: new Error('no') }
    await assert.rejects(runSteps(steps, work), { message: 'no' })
    failing = {}
    seen = []
    await finishSteps(steps, { ...work, operation: await read(operation.id) })
    assert.deepEqual(seen, ['tidy'])
  })

  it('is ended as its kind was registered, once, and left where nobody registered it', async () => {
    const endings = new Endings()
    const ending = { finish: () => at('finished'), abandon: () => at('abandoned') }
    await assert.rejects(endings.end(operation), /Nobody here ends operations of the kind upgrade/)
    assert.equal(operation.isLeft, true)
    {
      using registered = endings.register('upgrade', ending)
      assert.ok(registered)
      assert.throws(() => endings.register('upgrade', ending))
      assert.ok((await endings.end(await read(operation.id))) instanceof AppError)
      await operation.change('switch', () => Promise.resolve(), { commits: true })
      failing = { finished: new Error('not yet') }
      await assert.rejects(endings.end(await read(operation.id)), /not yet/)
      failing = {}
      assert.equal(await endings.end(await read(operation.id)), undefined)
    }
    assert.deepEqual(seen, ['abandoned', 'finished', 'finished'])
    await assert.rejects(endings.end(await read(operation.id)))
  })

  it('is left where what it had begun cannot be put back', async () => {
    const endings = new Endings()
    const abandon = () => Promise.reject(new Error('not now'))
    using registered = endings.register('upgrade', { finish: () => Promise.resolve(), abandon })
    assert.ok(registered)
    await assert.rejects(endings.end(operation), /not now/)
    assert.equal(operation.isLeft, true)
  })
})

describe('the kill runs', () => {
  const noIndex = () => assert.fail('no index is needed to name the steps')
  const all = [...scenarios, ...sourceScenarios.map((scenarioOf) => scenarioOf(noIndex))]

  for (const [kind, list] of Object.entries({
    upgrade: upgradeSteps,
    rollback: rollbackSteps,
    uninstall: cleanupSteps,
  })) {
    it(`kill a host at every step of the list: ${kind}`, () => {
      const tried = new Set(all.filter((scenario) => scenario.kind === kind).flatMap(({ steps }) => steps))
      assert.deepEqual(
        list.map(({ name }) => name).filter((name) => !tried.has(name)),
        [],
      )
    })
  }
})
