import { mkdir, readdir, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { createRoot, rootFingerprint } from '../index-format/root.ts'
import type { RootKey } from '../index-format/root-file.ts'
import type { SigningKey } from '../package/signature.ts'
import { buildIndex } from './build-index.ts'
import { contributorGuide, continuousCheck, startingCategories } from './index-templates.ts'
import { IndexRefusal } from './index-refusal.ts'
import { findSigningRoot, signPublishersList } from './publishers-list.ts'
import { toStableJson } from './stable-json.ts'
import { writeAtomic } from './write-atomic.ts'

/** What a new index is. */
interface InitOptions {
  /** What it calls itself. */
  readonly title: string
  readonly key: SigningKey
  /** More keys of it; those of other people without their private halves. */
  readonly others?: readonly (RootKey | SigningKey)[]
  /** How many of the keys must say who may publish; that goes with every build unless given. */
  readonly keysThreshold?: number
  readonly expiresDays: number
  /** Now unless given. */
  readonly created?: Date
}

/** Makes an index without plugins in a folder that is new or empty, and builds it where enough keys are here. Answers the fingerprint that sites pin. */
export async function initIndex(
  directory: string,
  { title, key, others = [], keysThreshold, expiresDays, created = new Date() }: InitOptions,
): Promise<string> {
  await requireEmpty(directory)
  const signers = [key, ...others.filter((each) => 'privateKey' in each)]
  const content = { name: title, created: created.toISOString(), keys: [key, ...others] }
  const { root, signature } = createRoot(
    { ...content, ...(keysThreshold === undefined ? {} : { keysThreshold }) },
    signers,
  )
  const files: Readonly<Record<string, Buffer | string>> = {
    'root.json': root,
    'root.json.sig': signature,
    'publishers.json': toStableJson({ format: 1, ...(keysThreshold && { serial: 1 }), publishers: {} }),
    'revocations.json': toStableJson({ format: 1, plugins: [], keys: [], licenses: [] }),
    'categories.json': toStableJson({ format: 1, categories: startingCategories }),
    'README.md': contributorGuide(title, rootFingerprint(root)),
    '.github/workflows/check.yml': continuousCheck,
    '.gitignore': '*.key.json\n*.part\n',
    // Code hosts would change line ends, and with them the hashes.
    '.gitattributes': '* -text\n',
  }
  for (const [path, content] of Object.entries(files)) await writeAtomic(join(directory, path), content)
  const asked = await findSigningRoot(directory)
  const isSigned = !asked || (await signPublishersList(directory, signers, asked)).missing === 0
  if (isSigned) await buildIndex(directory, { keys: [key], expiresDays, generated: created })
  return rootFingerprint(root)
}

/** Throws an IndexRefusal when a private key would lie where everybody can fetch it. */
export async function requireOutside(directory: string, keyFile: string): Promise<void> {
  const real = async (path: string): Promise<string> => realpath(path).catch(() => resolve(path))
  const way = relative(await real(directory), join(await real(dirname(resolve(keyFile))), 'key'))
  if (!way.startsWith('..') && !isAbsolute(way))
    throw new IndexRefusal(`${keyFile} would lie in the index, where everybody can fetch it: give another place.`)
}

async function requireEmpty(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  const [first] = (await readdir(directory)).filter((name) => name !== '.git')
  if (first !== undefined) throw new IndexRefusal(`${directory} is not empty: it has ${first}.`)
}
