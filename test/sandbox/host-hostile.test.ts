import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

import type { Code, Outcome } from '../../sandbox/supervisor/call.ts'
import { bombs, floods, loops, throws, type Attack } from './host-attacks.ts'
import { handlerModule, startSandbox, type TestSandbox } from './host-releases.ts'

const PATIENCE_MS = 1_500

describe('a hostile plugin', function () {
  this.timeout(20_000)
  let sandbox: TestSandbox
  let neighbour: Code
  let number = 0

  before(async () => {
    sandbox = await startSandbox({ lanes: 1 })
    neighbour = await sandbox.install('neighbour', handlerModule('return "here"'))
    await sandbox.call(neighbour)
  })
  after(() => sandbox[Symbol.asyncDispose]())

  async function neighbourAnswers(when: string): Promise<void> {
    const start = performance.now()
    const outcome = await sandbox.call(neighbour)
    assert.equal(outcome.ok && outcome.value, '"here"', `${when}: ${JSON.stringify(outcome)}`)
    assert.ok(performance.now() - start < PATIENCE_MS, `${when}: took ${performance.now() - start} ms`)
  }

  async function run({ body, before = '', ends }: Attack): Promise<void> {
    const code = await sandbox.install(`hostile-${++number}`, handlerModule(body, before))
    const attack = sandbox.call(code)
    await pause(50)
    await neighbourAnswers('during')
    const outcome = await attack
    await neighbourAnswers('afterwards')
    assert.ok(ends.includes(name(outcome)), JSON.stringify(outcome).slice(0, 500))
  }

  for (const [title, attacks] of Object.entries({ loops, bombs, floods, throws })) {
    describe(title, () => {
      for (const attack of attacks) it(`is held: ${attack.name}`, () => run(attack))
    })
  }
})

function name(outcome: Outcome): string {
  if (outcome.ok) return 'ok'
  return outcome.kind === 'limit' ? `limit:${outcome.limit}` : outcome.kind
}
