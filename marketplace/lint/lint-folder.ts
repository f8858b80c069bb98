import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hostModuleNames, parseManifest } from '#sandbox'
import { findSource, type Bundle } from '../pack/bundle.ts'
import { packageOf } from '../pack/package-of.ts'
import type { Finding } from './finding.ts'
import { bundleToLint, lintGlobals } from './lint-globals.ts'
import { lintImports } from './lint-imports.ts'
import { lintManifest } from './lint-manifest.ts'
import { lintPageNames } from './lint-page-names.ts'
import { lintPages } from './lint-pages.ts'
import { lintSource } from './lint-source.ts'

const largeDependency = 200_000

/** Everything that could be better in a plugin's folder whose manifest is valid, errors first. */
export async function lintFolder(directory: string): Promise<readonly Finding[]> {
  const text = await readFile(join(directory, 'manifest.json'), 'utf8')
  const manifest = parseManifest(text)
  const source = await findSource(directory)
  const paths = (await Array.fromAsync(glob(source ? 'src/**/*.{ts,js}' : 'dist/**/*.js', { cwd: directory }))).sort()
  const sources = await Promise.all(
    paths.map(async (file) => ({ file, text: await readFile(join(directory, file), 'utf8') })),
  )
  const { texts, broken } = await readTranslations(directory, manifest.locales ?? [])
  const hostModules = hostModuleNames(manifest.hostModules)
  const findings = [
    ...lintManifest(manifest, text, texts),
    ...broken,
    ...(await lintPages(directory)),
    ...(await lintPageNames(directory, manifest)),
    ...(await lintSource(sources, manifest)),
    ...(source ? await lintBundle(source, await bundleToLint(directory, source, hostModules)) : []),
  ]
  return findings.sort((a, b) => (a.level < b.level ? -1 : a.level > b.level ? 1 : 0))
}

async function readTranslations(directory: string, locales: readonly string[]) {
  const texts: Record<string, Readonly<Record<string, string>>> = {}
  const broken: Finding[] = []
  for (const locale of locales) {
    const file = `locales/${locale}.json`
    const text = await readFile(join(directory, file), 'utf8').catch(() => undefined)
    if (text === undefined) continue
    try {
      texts[locale] = JSON.parse(text) as Record<string, string>
    } catch (error) {
      const { message } = error as SyntaxError
      broken.push({ level: 'error', rule: 'text_json', file, line: lineOfFault(text, message), message })
    }
  }
  return { texts, broken }
}

/** The line that a parser of JSON names, by its number or by its position. */
function lineOfFault(text: string, message: string): number {
  const line = /\(line (\d+) /.exec(message)?.[1]
  if (line !== undefined) return Number(line)
  const position = /position (\d+)/.exec(message)?.[1]
  return text.slice(0, position === undefined ? undefined : Number(position)).split('\n').length
}

async function lintBundle(source: string, bundled: Bundle): Promise<readonly Finding[]> {
  return [...lintDependencies(source, bundled), ...lintImports(bundled), ...(await lintGlobals(bundled))]
}

/** Packages that take much of the room an entry has. */
function lintDependencies(source: string, { inputs }: Bundle): readonly Finding[] {
  const sizes = new Map<string, number>()
  for (const [path, bytes] of inputs) {
    const name = packageOf(path)
    if (name !== undefined) sizes.set(name, (sizes.get(name) ?? 0) + bytes)
  }
  return [...sizes]
    .filter(([, bytes]) => bytes > largeDependency)
    .map(([name, bytes]) => ({
      ...{ level: 'warning', rule: 'large_dependency', file: source, line: 1 },
      message: `${name} takes ${Math.round(bytes / 1024)} KB of the bundle: import only what is needed, or do without.`,
    }))
}
