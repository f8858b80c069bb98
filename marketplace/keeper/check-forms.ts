import { AppError } from '#kernel'
import { parseCategoriesFile } from '../index-format/categories-file.ts'
import { pluginFolder } from '../index-format/index-entry.ts'
import { parseIndexFile } from '../index-format/index-file.ts'
import { parsePluginFile } from '../index-format/plugin-file.ts'
import { parsePublishersFile } from '../index-format/publishers-file.ts'
import { parseRatingsFile } from '../index-format/ratings-file.ts'
import { parseRevocationsFile } from '../index-format/revocations-file.ts'
import { verifyRoot } from '../index-format/root.ts'
import { parseIndexSignature } from '../index-format/root-file.ts'
import { verifyIndex } from '../index-format/sign-index.ts'
import { describeSigners, findSigningRoot, readPublishersLists } from './publishers-list.ts'
import type { IndexFinding } from './index-finding.ts'
import { listPlugins, readPart, sha256Of } from './index-folder.ts'

const sideFiles = [
  ['publishers.json', parsePublishersFile, true],
  ['revocations.json', parseRevocationsFile, false],
  ['categories.json', parseCategoriesFile, false],
  ['ratings.json', parseRatingsFile, false],
] as const

/** Whether every file of an index has the form that clients ask for, and lies where it belongs. */
export async function checkForms(directory: string): Promise<readonly IndexFinding[]> {
  const findings: IndexFinding[] = []
  for (const [file, parse, isNeeded] of sideFiles) {
    const bytes = await readPart(directory, file)
    if (bytes) findings.push(...tryTo(file, 'form', () => parse(bytes)))
    else if (isNeeded) findings.push({ level: 'error', rule: 'missing', file, message: 'An index needs this file.' })
  }
  for (const name of await listPlugins(directory)) findings.push(...(await checkPlugin(directory, name)))
  return findings
}

async function checkPlugin(directory: string, name: string): Promise<readonly IndexFinding[]> {
  const file = `${pluginFolder(name)}plugin.json`
  const bytes = await readPart(directory, file)
  if (!bytes)
    return [
      { level: 'error', rule: 'missing', file, message: 'A folder below p/ is a plugin’s and has its plugin.json.' },
    ]
  return tryTo(file, 'form', () => {
    const plugin = parsePluginFile(bytes)
    if (plugin.name === name) return undefined
    return `It is the file of ${plugin.name}, which belongs into ${pluginFolder(plugin.name)}.`
  }).map((finding) => ({ ...finding, plugin: name }))
}

/** Whether the index that was built last is signed by the keys of its root. What was built before a change is none of its errors. */
export async function checkChain(directory: string, now: Date): Promise<readonly IndexFinding[]> {
  const [root, rootSignature, index, signature] = await Promise.all(
    ['root.json', 'root.json.sig', 'index.json', 'index.json.sig'].map((file) => readPart(directory, file)),
  )
  if (!root || !rootSignature)
    return [
      {
        level: 'warning',
        rule: 'not_signed',
        file: 'root.json',
        message: 'The index has no root: clients take it only when they are told not to ask for signatures.',
      },
    ]
  const findings = tryTo('root.json', 'index_signature', () => void verifyRoot({ root, signature: rootSignature }))
  if (findings.length > 0) return findings
  const lists = await checkLists(directory)
  if (!index || !signature)
    return [
      ...lists,
      {
        level: 'info',
        rule: 'not_built',
        file: 'index.json',
        message: 'The index was not built yet: stoa index build.',
      },
    ]
  const chain = [
    ...tryTo('index.json', 'index_signature', () => {
      verifyIndex(index, parseIndexSignature(signature), verifyRoot({ root, signature: rootSignature }).root)
      parseIndexFile(index)
    }),
    ...tryTo('index.json', 'form', () => void parseIndexFile(index)),
  ]
  return [...chain.slice(0, 1), ...lists, ...(await checkFreshness(directory, index, now))]
}

/** Whether as many people as the root asks for say who may publish. */
async function checkLists(directory: string): Promise<readonly IndexFinding[]> {
  const root = await findSigningRoot(directory)
  if (!root) return []
  const mend = 'stoa index sign-keys signs it.'
  try {
    const { inForce, waiting } = await readPublishersLists(directory, root)
    const findings: IndexFinding[] = []
    const needed = `${root.root.keysThreshold} keys of root.json must sign it`
    if (inForce && inForce.missing > 0) {
      const message = `${needed}: ${describeSigners(inForce)}. ${mend}`
      findings.push({ level: 'error', rule: 'publishers_signature', file: inForce.file, message })
    }
    if (waiting) {
      const next = waiting.missing > 0 ? mend : 'stoa index build takes it in.'
      const message = `A change of who may publish waits: ${describeSigners(waiting)}. ${next}`
      findings.push({ level: 'info', rule: 'publishers_waiting', file: waiting.file, message })
    }
    return findings
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ level: 'error', rule: 'form', file: 'publishers.json.sig', message: error.message.slice(0, 1_000) }]
  }
}

async function checkFreshness(directory: string, bytes: Buffer, now: Date): Promise<readonly IndexFinding[]> {
  const findings: IndexFinding[] = []
  const file = 'index.json'
  try {
    const { expires, plugins, files } = parseIndexFile(bytes)
    if (Date.parse(expires) < now.getTime())
      findings.push({
        level: 'warning',
        rule: 'expired',
        file,
        message: `It expired on ${expires}: stoa index build makes it fresh.`,
      })
    const expected = new Map([
      ...Object.entries(files).map(([path, hash]) => [path, hash] as const),
      ...Object.values(plugins).map(({ path, sha256 }) => [`${path}plugin.json`, sha256] as const),
    ])
    const stale: string[] = []
    for (const [path, hash] of expected) {
      const found = await readPart(directory, path)
      if (!found || sha256Of(found) !== hash) stale.push(path)
    }
    const isNew = (await listPlugins(directory)).some((name) => !Object.hasOwn(plugins, name))
    if (stale.length > 0 || isNew)
      findings.push({
        level: 'info',
        rule: 'not_built',
        file,
        message: 'The index changed since it was built: stoa index build.',
      })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return findings
}

/** What a piece of work is refused with, as a finding about a file; a text that it returns is a refusal too. */
function tryTo(file: string, rule: string, work: () => unknown): readonly IndexFinding[] {
  try {
    const problem = work()
    return typeof problem === 'string' ? [{ level: 'error', rule, file, message: problem }] : []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ level: 'error', rule, file, message: error.message.slice(0, 1_000) }]
  }
}
