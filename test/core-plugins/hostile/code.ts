import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { forbiddenTexts, restartPlugin, type HostilePlatform } from '../../support/hostile-platform.ts'
import { undisturbed } from '../../support/undisturbed.ts'
import { until } from '../../support/until.ts'
import type { Attack } from '../../sandbox/host-attacks.ts'
import { snippets } from './snippets.ts'

const api = '/tenant/plugins/evil.attacker/api'
/** What the ways a call may end in a sandbox host come to at the door. */
const codes: Readonly<Record<string, number>> = {
  ok: 200,
  threw: 5004,
  refused: 4220,
  denied: 4030,
  absent: 4040,
  busy: 4299,
  storage: 4297,
  load: 5004,
  invalid: 5029,
  timeout: 5040,
  unknown: 5036,
  'limit:cpu': 5008,
  'limit:memory': 5008,
  'limit:host_calls': 5008,
  'limit:response_bytes': 5029,
}
const memoryMb = 200

/** Code that loops, fills memory, waits, floods, and throws what it can. */
export function attackWithCode(platformOf: () => HostilePlatform): void {
  let forbidden: readonly string[]
  let memoryBefore: number

  before(async () => {
    forbidden = await forbiddenTexts(platformOf().dataDir)
    memoryBefore = await residentMb(platformOf().host.pid)
  })

  async function run({ body, ends }: Attack, alsoHeld: readonly string[]): Promise<void> {
    const platform = platformOf()
    const { demo } = platform
    // What waits for nothing is ended by the clock; the others have time to spend their CPU limit on a busy machine, too.
    const path = ends.includes('timeout') ? 'wait' : 'run'
    const answer = await undisturbed(platform, () => demo.api.post(`${api}/${path}`, { code: body }))
    const text = JSON.stringify(answer.body)
    const code = answer.status === 200 ? 200 : Number(answer.body['code'])
    const expected = [...ends, ...alsoHeld].map((end) => codes[end])
    assert.ok(expected.includes(code), `${text.slice(0, 300)} is none of ${expected.join(', ')}`)
    assert.equal(Math.floor(code / 10) || answer.status, code === 200 ? 20 : answer.status)
    for (const secret of forbidden) assert.equal(text.includes(secret), false, `${secret} in ${text.slice(0, 300)}`)
    if (code === 200) return
    const again = await demo.api.get(`${api}/ping`)
    if (again.status !== 200) {
      assert.deepEqual([again.status, again.body['code']], [503, 5035], JSON.stringify(again.body))
      await restartPlugin(platform)
    }
    await until(async () => (await demo.api.get(`${api}/ping`)).status === 200, 5_000)
  }

  for (const [title, group] of Object.entries(snippets)) {
    // A flood may fill the memory of its host before it reaches the limit that it aims at.
    const flood = title === 'floods' ? ['limit:memory', 'timeout'] : []
    describe(title, () => {
      for (const attack of group) {
        if (attack.before === '') it(`is held: ${attack.name}`, () => run(attack, flood))
      }
    })
  }

  describe('afterwards', () => {
    it('is the process it was, with the memory it had', async () => {
      const { pid } = platformOf().host
      assert.ok(process.kill(pid, 0))
      await until(async () => (await residentMb(pid)) < memoryBefore + memoryMb)
    })
  })
}

async function residentMb(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8')
  return (Number(statm.split(' ')[1]) * 4096) / 1_048_576
}
