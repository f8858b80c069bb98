import { ViolationError } from './violation.ts'

const pathForm = /^[A-Za-z0-9_@][A-Za-z0-9._@-]*(\/[A-Za-z0-9_@][A-Za-z0-9._@-]*)*$/
const device = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/

/** What may stand in a package, and how large each may be beside the limit of every file. */
const places: readonly {
  readonly path: RegExp
  readonly most?: Exclude<keyof FileLimits, 'nameBytes' | 'depth' | 'fileBytes'>
}[] = [
  { path: /^manifest\.json$/, most: 'manifest' },
  { path: /^dist\/.+\.js$/, most: 'entry' },
  { path: /^dist\/.+\.js\.map$/, most: 'sourceMap' },
  { path: /^ui\/.+$/ },
  { path: /^migrations\/[^/]+\.sql$/, most: 'migration' },
  { path: /^locales\/(default|[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?)\.json$/, most: 'locale' },
  { path: /^README[^/]*\.md$/, most: 'readme' },
  { path: /^(CHANGELOG\.md|LICENSE)$/, most: 'readme' },
  { path: /^icon\.(png|webp)$/, most: 'icon' },
  { path: /^screenshots\/[^/]+$/ },
  { path: /^META\/signature\.json$/, most: 'signature' },
  { path: /^META\/(sbom|provenance)\.json$/, most: 'record' },
]

/** The bounds of names and sizes, as the opening process is told them. */
export interface FileLimits {
  readonly nameBytes: number
  readonly depth: number
  readonly fileBytes: number
  readonly manifest: number
  readonly entry: number
  readonly icon: number
  readonly readme: number
  readonly locale: number
  readonly migration: number
  readonly sourceMap: number
  /** The signature, which names every file. */
  readonly signature: number
  /** What is kept beside the signature and read by people. */
  readonly record: number
}

/** The largest that a file may be, or nothing if a package has no place for it. */
export function mostBytesOf(path: string, limits: FileLimits): number | undefined {
  const place = places.find((each) => each.path.test(path))
  return place && (place.most ? limits[place.most] : limits.fileBytes)
}

/** Refuses a name that would be another one on some file system, or that a package has no place for. */
export function checkName(path: string, limits: FileLimits): void {
  if (Buffer.byteLength(path) > limits.nameBytes)
    throw new ViolationError('path_length', `a name is longer than ${limits.nameBytes} bytes`, path.slice(0, 100))
  if (!pathForm.test(path))
    throw new ViolationError('path', 'a name has a part or a character that is not allowed', path)
  const segments = path.split('/')
  if (segments.length > limits.depth)
    throw new ViolationError('path_depth', `a file lies deeper than ${limits.depth} folders`, path)
  if (segments.some((segment) => segment.endsWith('.') || device.test((segment.split('.')[0] ?? '').toLowerCase())))
    throw new ViolationError('path', 'a name means something else on another system', path)
  if (mostBytesOf(path, limits) === undefined)
    throw new ViolationError('top_level', 'a package has no place for this file', path)
}

/** Refuses two names that are one on a file system without case, and a file where another name has a folder. */
export function checkDistinct(paths: readonly string[]): void {
  const fold = (path: string) => path.normalize('NFC').toLowerCase()
  const folded = new Set<string>()
  for (const path of paths) {
    if (folded.has(fold(path))) throw new ViolationError('duplicate', 'two files have one name', path)
    folded.add(fold(path))
  }
  const spelling = new Map<string, string>()
  for (const path of paths) {
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end)
      if (folded.has(fold(folder))) throw new ViolationError('duplicate', 'a file and a folder have one name', path)
      if ((spelling.get(fold(folder)) ?? folder) !== folder)
        throw new ViolationError('duplicate', 'a folder is spelt in two ways', path)
      spelling.set(fold(folder), folder)
    }
  }
}
