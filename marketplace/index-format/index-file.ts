import type { Localised } from '#kernel'
import { schemaParts } from '#sandbox'
import { createFileParser } from './file-parser.ts'
import {
  capabilitySchema,
  isMoment,
  isSafePath,
  isVersion,
  pathSchema,
  pluginNameSchema,
  publisherSchema,
  rangeSchema,
  sha256Schema,
  timeSchema,
  versionSchema,
} from './form.ts'
import { indexLimits } from './index-limits.ts'

const { list, localised, matching, object, oneOf, record, slug, text, whole } = schemaParts

/** How far an index itself trusts a plugin; a source may lower it. */
const indexTrust = ['official', 'verified', 'community', 'unsigned'] as const
/** How far an index itself trusts a plugin. */
export type IndexTrust = (typeof indexTrust)[number]

/** Which hosts a release runs on: ranges of versions. */
export interface Engines {
  readonly host: string
  readonly sdk?: string
}

/** What index.json says of one plugin. All that a list shows stands here, so that a list reads one file. */
export interface IndexEntry {
  /** The newest version that is not yanked. */
  readonly latest: string
  /** When something of it changed last, ISO 8601. */
  readonly updated: string
  /** Its folder, from the top of the index, with `/` at the end. */
  readonly path: string
  /** Of its plugin.json. */
  readonly sha256: string
  readonly trust: IndexTrust
  /** For lists, taken from its plugin.json by `createIndexEntry`; an index without them shows names only. */
  readonly title?: Localised
  readonly description?: Localised
  readonly publisher?: string
  readonly categories?: readonly string[]
  readonly keywords?: readonly string[]
  /** The icon's file in its folder. */
  readonly icon?: string
  /** Of the latest version. */
  readonly capabilities?: readonly string[]
  /** Of the latest version. */
  readonly engines?: Engines
}

/** The files beside index.json whose hashes it carries. */
export const indexSideFiles = ['publishers.json', 'revocations.json', 'categories.json', 'ratings.json'] as const
/** A file beside index.json whose hash it carries. */
type IndexSideFile = (typeof indexSideFiles)[number]

/** index.json */
export interface IndexFile {
  readonly format: 1
  /** Grows with every build; a client never goes back. */
  readonly sequence: number
  readonly generated: string
  readonly expires: string
  readonly plugins: Readonly<Record<string, IndexEntry>>
  /** SHA-256 by name. */
  readonly files: Readonly<Partial<Record<IndexSideFile, string>>>
}

/** Plugins that are checked in about a millisecond. */
const slice = 100
/** The longest description in a list, in characters of each language. */
export const summaryDescription = 300

/** The schema of `engines`. */
export const enginesSchema = object({ host: rangeSchema, sdk: rangeSchema }, ['host'])

const entry = object(
  {
    latest: versionSchema,
    updated: timeSchema,
    path: matching(/^[A-Za-z0-9_@][A-Za-z0-9._@/-]*\/$/, 200),
    sha256: sha256Schema,
    trust: oneOf(indexTrust),
    title: localised(100),
    description: localised(summaryDescription),
    publisher: publisherSchema,
    categories: list(slug, 10),
    keywords: list(text(50), 20),
    icon: pathSchema,
    capabilities: list(capabilitySchema, 40),
    engines: enginesSchema,
  },
  ['latest', 'updated', 'path', 'sha256', 'trust'],
)

/** Reads index.json; throws IndexInvalidError. */
export const parseIndexFile = createFileParser<IndexFile>({
  file: 'index.json',
  maxBytes: indexLimits.indexBytes,
  maxDepth: 6,
  schema: object(
    {
      format: { const: 1 },
      sequence: whole(1, Number.MAX_SAFE_INTEGER),
      generated: timeSchema,
      expires: timeSchema,
      plugins: record(pluginNameSchema, entry, indexLimits.plugins),
      files: object(Object.fromEntries(indexSideFiles.map((file) => [file, sha256Schema]))),
    },
    ['format', 'sequence', 'generated', 'expires', 'plugins', 'files'],
  ),
  findProblem({ generated, expires, plugins }) {
    if (!isMoment(generated) || !isMoment(expires)) return 'generated or expires is no moment'
    const wrong = Object.entries(plugins).find(([name, each]) => !isSound(name, each))
    return wrong && `the entry of ${wrong[0]} names a version, a time, a path or a publisher that cannot be`
  },
  split: splitPlugins,
})

/** The file with some of its plugins at a time. */
function* splitPlugins(value: unknown): Generator<unknown, void> {
  const { plugins } = (value ?? {}) as Partial<IndexFile>
  const isRecord = typeof plugins === 'object' && plugins !== null && !Array.isArray(plugins)
  const entries = isRecord ? Object.entries(plugins) : []
  // What does not come apart is refused whole.
  if (entries.length <= slice || entries.length > indexLimits.plugins) {
    yield value
    return
  }
  for (let from = 0; from < entries.length; from += slice) {
    yield { ...(value as IndexFile), plugins: Object.fromEntries(entries.slice(from, from + slice)) }
  }
}

function isSound(name: string, { latest, updated, path, icon, publisher }: IndexEntry): boolean {
  return (
    isVersion(latest) &&
    isMoment(updated) &&
    isSafePath(path.slice(0, -1)) &&
    (icon === undefined || isSafePath(icon)) &&
    (publisher === undefined || name.startsWith(`${publisher}.`))
  )
}
