import type { Localised } from '#kernel'
import { schemaParts } from '#sandbox'
import { createFileParser } from './file-parser.ts'
import {
  capabilitySchema,
  isMoment,
  isSafePath,
  isVersion,
  keyIdSchema,
  pathSchema,
  pluginNameSchema,
  publisherSchema,
  rangeSchema,
  sha256Schema,
  signatureSchema,
  timeSchema,
  versionSchema,
} from './form.ts'
import { enginesSchema, type Engines } from './index-file.ts'
import { indexLimits } from './index-limits.ts'

const { list, localised, matching, object, record, slug, text, webAddress, whole } = schemaParts

/** Why and when a version was taken back: nobody is offered it any more, and whoever asks for it by name still gets it. */
interface Yanked {
  readonly reason: string
  readonly at: string
}

/** Which run of a continuous integration published a version, as its identity token proved to the index. */
export interface Provenance {
  readonly issuer: string
  readonly subject: string
  readonly repository?: string
  readonly ref?: string
  readonly commit?: string
  readonly workflow?: string
  readonly run?: string
}

/** One version in plugin.json. Once published it never changes, but for `yanked` and `hostTested`. */
export interface PluginVersion {
  readonly version: string
  readonly engines: Engines
  /** Plugins it needs: ranges by name. */
  readonly requires?: Readonly<Record<string, string>>
  readonly conflicts?: Readonly<Record<string, string>>
  readonly capabilities: readonly string[]
  readonly optionalCapabilities?: readonly string[]
  /** The hosts it asks to speak to. */
  readonly hosts: readonly string[]
  /** Of the zip, in bytes. */
  readonly size: number
  /** Of the zip. */
  readonly sha256: string
  /** Of what the zip holds. */
  readonly treeHash: string
  /** The zip: a path in the plugin's folder (`releases/…`), or an https address. */
  readonly url: string
  /** The key that signed the package, and its signature; null in an index of unsigned packages. */
  readonly kid: string | null
  readonly sig: string | null
  readonly published: string
  readonly yanked: Yanked | null
  /** What is new, in Markdown. */
  readonly changelog?: string
  /** Host versions (`1.2`) it was seen working on. */
  readonly hostTested?: readonly string[]
  /** How far a site must trust it, as its manifest says. */
  readonly minTrust?: string
  /** Absent where a person published it. */
  readonly provenance?: Provenance
}

/** plugin.json: a plugin with all its versions. */
export interface PluginFile {
  readonly name: string
  readonly publisher: string
  readonly title?: Localised
  readonly description?: Localised
  readonly categories?: readonly string[]
  readonly keywords?: readonly string[]
  readonly license?: string
  readonly homepage?: string
  readonly repository?: string
  readonly support?: string
  /** The other files of its folder, SHA-256 by path (README.md, README.zh-CN.md, CHANGELOG.md, icon.png, screenshots/…, review/…). Where it is given, nothing else is read. */
  readonly files?: Readonly<Record<string, string>>
  readonly versions: readonly PluginVersion[]
}

/** Versions that are checked in a few milliseconds. */
const slice = 50

const ranges = record(pluginNameSchema, rangeSchema, 50)
const yanked = { anyOf: [{ type: 'null' }, object({ reason: text(500), at: timeSchema }, ['reason', 'at'])] }
const orNull = (schema: schemaParts.Schema) => ({ anyOf: [{ type: 'null' }, schema] })

const fact = text(500)
const provenance = object(
  { issuer: fact, subject: fact, repository: fact, ref: fact, commit: fact, workflow: fact, run: fact },
  ['issuer', 'subject'],
)

const version = object(
  {
    version: versionSchema,
    engines: enginesSchema,
    requires: ranges,
    conflicts: ranges,
    capabilities: list(capabilitySchema, 40),
    optionalCapabilities: list(capabilitySchema, 40),
    hosts: list(text(253), 200),
    size: whole(1, 1_073_741_824),
    sha256: sha256Schema,
    treeHash: sha256Schema,
    url: text(500),
    kid: orNull(keyIdSchema),
    sig: orNull(signatureSchema),
    published: timeSchema,
    yanked,
    changelog: text(4_000),
    hostTested: list(matching(/^[0-9]+(\.[0-9]+){0,2}$/, 32), 100),
    minTrust: matching(/^[a-z]+$/, 20),
    provenance,
  },
  [
    ...['version', 'engines', 'capabilities', 'hosts', 'size', 'sha256', 'treeHash', 'url', 'kid', 'sig'],
    ...['published', 'yanked'],
  ],
)

/** Reads plugin.json; throws IndexInvalidError. */
export const parsePluginFile = createFileParser<PluginFile>({
  file: 'plugin.json',
  maxBytes: indexLimits.pluginBytes,
  maxDepth: 6,
  schema: object(
    {
      name: pluginNameSchema,
      publisher: publisherSchema,
      title: localised(100),
      description: localised(1_000),
      categories: list(slug, 10),
      keywords: list(text(50), 20),
      license: text(100),
      homepage: webAddress,
      repository: webAddress,
      support: matching(/^(https:\/\/[^\s@]+|mailto:[^\s@]+@[^\s@]+)$/, 500),
      files: record(pathSchema, sha256Schema, indexLimits.files),
      versions: list(version, indexLimits.versions, 1),
    },
    ['name', 'publisher', 'versions'],
  ),
  *searchProblem({ name, publisher, files = {}, versions }) {
    if (!name.startsWith(`${publisher}.`)) return 'the name does not begin with the publisher'
    if (!Object.keys(files).every(isSafePath)) return 'a file has a path that cannot be'
    if (new Set(versions.map((each) => each.version)).size !== versions.length) return 'a version is given twice'
    for (const each of versions) {
      yield
      if (!isSound(each)) return `the version ${each.version} names a version, a time or an address that cannot be`
    }
    return undefined
  },
  split: splitVersions,
})

/** The file with some of its versions at a time. */
function* splitVersions(value: unknown): Generator<unknown, void> {
  const { versions } = (value ?? {}) as Partial<PluginFile>
  // What does not come apart is refused whole.
  if (!Array.isArray(versions) || versions.length <= slice || versions.length > indexLimits.versions) {
    yield value
    return
  }
  for (let from = 0; from < versions.length; from += slice) {
    yield { ...(value as PluginFile), versions: versions.slice(from, from + slice) }
  }
}

function isSound({ version, published, url, yanked, kid, sig }: PluginVersion): boolean {
  return (
    isVersion(version) &&
    isMoment(published) &&
    (isSafePath(url) || isWebAddress(url)) &&
    (yanked === null || isMoment(yanked.at)) &&
    (kid === null) === (sig === null)
  )
}

function isWebAddress(url: string): boolean {
  const address = URL.parse(url)
  return address?.protocol === 'https:' && address.username === '' && address.password === '' && address.hash === ''
}
