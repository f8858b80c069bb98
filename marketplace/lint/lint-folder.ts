import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hostModuleNames, parseManifest } from '#sandbox'
import { bundle, findSource } from '../pack/bundle.ts'
import { packageOf } from '../pack/package-of.ts'
import type { Finding } from './finding.ts'
import { lintGlobals } from './lint-globals.ts'
import { lintManifest } from './lint-manifest.ts'
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
  const hostModules = hostModuleNames(manifest.hostModules)
  const findings = [
    ...lintManifest(manifest, text, await readTranslations(directory, manifest.locales ?? [])),
    ...lintSource(sources, manifest),
    ...(source ? await lintDependencies(directory, source, hostModules) : []),
    ...(source ? await lintGlobals(directory, source, hostModules) : []),
  ]
  return findings.sort((a, b) => (a.level < b.level ? -1 : a.level > b.level ? 1 : 0))
}

async function readTranslations(directory: string, locales: readonly string[]) {
  const texts: Record<string, Readonly<Record<string, string>>> = {}
  for (const locale of locales) {
    const file = await readFile(join(directory, `locales/${locale}.json`), 'utf8').catch(() => undefined)
    if (file !== undefined) texts[locale] = JSON.parse(file) as Record<string, string>
  }
  return texts
}

/** Packages that take much of the room an entry has. */
async function lintDependencies(
  directory: string,
  source: string,
  hostModules: readonly string[],
): Promise<readonly Finding[]> {
  const sizes = new Map<string, number>()
  for (const [path, bytes] of (await bundle(directory, source, { hostModules })).inputs) {
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
