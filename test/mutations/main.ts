import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fences } from './fences/index.ts'
import { mutateText } from './mutate-text.ts'
import type { Mutation } from './mutation.ts'
import { runTests } from './run-tests.ts'
import { createScratch } from './scratch.ts'

// Lowers one fence at a time in a copy, and looks whether the tests that should notice it do. Ends with 1 if one does not.
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    file: { type: 'string' },
    fence: { type: 'string' },
    'skip-baseline': { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})
const root = path.join(import.meta.dirname, '../..')
const only = values.only?.split(',')
const hasRedis = Boolean(process.env['STOA_TEST_REDIS_URL'])
const wanted = fences
  .filter(({ name }) => values.fence === undefined || values.fence === name)
  .flatMap(({ mutations }) => mutations)
  .filter(({ name, file }) => (!only || only.includes(name)) && (values.file === undefined || values.file === file))
const chosen = wanted.filter(({ needs }) => needs === undefined || hasRedis)
if (chosen.length === 0) throw new Error('No mutation is meant')
const texts = new Map<Mutation, readonly [before: string, after: string]>()
for (const mutation of chosen) {
  const text = await readFile(path.join(root, mutation.file), 'utf8')
  texts.set(mutation, [text, mutateText(text, mutation)])
}

await using scratch = await createScratch(root)
const survived: Mutation[] = []
// Without it a test that is red anyway would notice everything.
if (values['skip-baseline'] || (await isGreen())) {
  for (const [mutation, text] of texts) await judge(mutation, text)
  const noticed = chosen.length - survived.length
  console.log(`${noticed} of ${chosen.length} noticed (${Math.round((100 * noticed) / chosen.length)} %)`)
  if (wanted.length > chosen.length)
    console.log(`${wanted.length - chosen.length} not run: they need STOA_TEST_REDIS_URL`)
  for (const { name, file, why } of survived) console.log(`SURVIVED ${name} in ${file}: ${why}`)
}
if (survived.length > 0) process.exitCode = 1

async function isGreen(): Promise<boolean> {
  const { end, output } = await runTests(scratch.folder, [...new Set(chosen.flatMap(({ tests }) => tests))])
  if (end === 'passed') return true
  console.log(output)
  console.log('The tests are not green without any mutation')
  process.exitCode = 1
  return false
}

async function judge(mutation: Mutation, [before, after]: readonly [string, string]): Promise<void> {
  const file = path.join(scratch.folder, mutation.file)
  const start = performance.now()
  await writeFile(file, after)
  const { end, output } = await runTests(scratch.folder, mutation.tests, mutation.grep)
  await writeFile(file, before)
  if (/^ {2}0 passing/m.test(output) && end === 'passed')
    throw new Error(`No test of ${mutation.name} is called ${mutation.grep}`)
  if (end === 'passed') survived.push(mutation)
  const word = { passed: 'SURVIVED', failed: 'noticed', hung: 'noticed (hung)' }[end]
  console.log(`${word.padEnd(14)} ${mutation.name}, ${((performance.now() - start) / 1000).toFixed(1)} s`)
  if (values.verbose) console.log(output)
}
