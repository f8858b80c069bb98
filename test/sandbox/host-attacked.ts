import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

import type { Code, Outcome, SandboxPoolOptions } from '../../sandbox/wire/call.ts'
import type { Attack } from './host-attacks.ts'
import { handlerModule, startSandbox, tight, type TestSandbox } from './host-releases.ts'

const patienceMs = 4_000
const busyWallMs = 20_000
const memoryBackMs = 10_000
/** What a host may keep of its guests: above half of its memory it lets go of what nobody uses. */
const keptBytes = 170 * 1024 * 1024

/** Which hosts are attacked. */
export interface Attacked {
  readonly trusted?: boolean
  readonly cpuMs?: number
  readonly options?: Partial<SandboxPoolOptions>
}

/** Declares a test for each attack: it is held, a neighbour answers meanwhile and afterwards, and the memory comes back. */
export function holdsAttacks(
  groups: Readonly<Record<string, readonly Attack[]>>,
  { trusted = false, cpuMs = tight.cpuMs, options = {} }: Attacked = {},
): void {
  let sandbox: TestSandbox
  let neighbour: Code
  let quietBytes = 0
  let number = 0

  before(async () => {
    sandbox = await startSandbox({ lanes: 1, ...options })
    neighbour = await sandbox.install('neighbour', handlerModule('return "here"'), { trusted })
    await sandbox.call(neighbour)
    quietBytes = residentBytes()
  })
  after(() => sandbox[Symbol.asyncDispose]())

  function residentBytes(): number {
    return Math.max(...sandbox.pool.stats().lanes.map(({ rssBytes }) => rssBytes))
  }

  async function neighbourAnswers(when: string): Promise<void> {
    const start = performance.now()
    const outcome = await sandbox.call(neighbour)
    assert.equal(outcome.ok && outcome.value, '"here"', `${when}: ${JSON.stringify(outcome)}`)
    assert.ok(performance.now() - start < patienceMs, `${when}: took ${performance.now() - start} ms`)
  }

  async function memoryIsBack(): Promise<void> {
    const end = performance.now() + memoryBackMs
    while (residentBytes() > quietBytes + keptBytes) {
      assert.ok(performance.now() < end, `a host keeps ${residentBytes()} bytes, ${quietBytes} before`)
      // It looks when it makes room for another isolate.
      await sandbox.call(await sandbox.install(`another-${++number}`, handlerModule('return 1'), { trusted }))
      await pause(100)
    }
  }

  async function run({ body, before = '', ends }: Attack): Promise<void> {
    // Whoever waits for nothing is ended by the clock; the others have time to spend their CPU limit on a busy machine, too.
    const wallMs = ends.includes('timeout') ? tight.wallMs : busyWallMs
    const code = await sandbox.install(`hostile-${++number}`, handlerModule(body, before), { trusted })
    const attack = sandbox.call(code, { limits: { ...tight, cpuMs, wallMs } })
    await pause(50)
    await neighbourAnswers('during')
    const outcome = await attack
    await neighbourAnswers('afterwards')
    assert.ok(ends.includes(name(outcome)), JSON.stringify(outcome).slice(0, 500))
    await memoryIsBack()
  }

  for (const [title, attacks] of Object.entries(groups)) {
    describe(title, () => {
      for (const attack of attacks) it(`is held: ${attack.name}`, () => run(attack))
    })
  }
}

function name(outcome: Outcome): string {
  if (outcome.ok) return 'ok'
  return outcome.kind === 'limit' ? `limit:${outcome.limit}` : outcome.kind
}
