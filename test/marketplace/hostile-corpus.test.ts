import { deepEqual, ok } from 'node:assert/strict'
import { createReader } from './hostile/read-apart.ts'
import { hostilePackages } from './hostile/all.ts'
import { flipped } from './hostile/flips.ts'
import { withEntries } from './hostile/forge.ts'
import { mutatedManifests, unmutatedManifests } from './hostile/mutations.ts'
import { faultsOf } from '../sandbox/manifest-samples.ts'

/** Those that take long to make are sent through the door. */
const slow = new Set(['bombs'])
const packages = hostilePackages().filter(({ group }) => !slow.has(group))

describe('the corpus of hostile packages', () => {
  let reader: Awaited<ReturnType<typeof createReader>>
  before(async () => (reader = await createReader()))
  after(() => reader[Symbol.asyncDispose]())

  it('has a valid package, of which each of them differs', async () => {
    deepEqual((await reader.read(withEntries())).code, 0)
    ok(packages.length > 1_000)
  })

  for (const [group, members] of Object.entries(Object.groupBy(packages, ({ group }) => group))) {
    it(`is refused: ${members?.length} ${group}`, async () => {
      const wrong: string[] = []
      for (const { name, codes, make } of members ?? []) {
        const { code, rule, strays } = await reader.read(make())
        if (!codes.includes(code) || strays.length > 0) wrong.push(`${name}: ${code} ${rule} ${strays.join()}`)
      }
      deepEqual(wrong, [])
    })
  }

  it('never becomes another package when any of its bits flips', async () => {
    const whole = withEntries([{ path: 'ui/a.txt', data: 'some text '.repeat(20), method: 8 }])
    const { treeHash } = await reader.read(whole)
    const changed: string[] = []
    for (const { at, bit, zip } of flipped(whole, 2_000)) {
      const read = await reader.read(zip)
      const isRefused = read.code === 4009 || read.code === 4227
      if (!isRefused && read.treeHash !== treeHash) changed.push(`byte ${at} bit ${bit}: ${read.code}`)
    }
    deepEqual(changed, [])
  })

  it('holds every member of a manifest to its type', () => {
    deepEqual(unmutatedManifests.flatMap(faultsOf), [])
    const accepted: string[] = []
    let count = 0
    for (const { what, text } of mutatedManifests()) {
      count++
      if (faultsOf(text).length === 0) accepted.push(what)
    }
    deepEqual(accepted, [])
    ok(count > 2_000, String(count))
  })
})
