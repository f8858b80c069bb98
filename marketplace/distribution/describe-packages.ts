import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Versions = Readonly<Record<string, string>>

/** What of package.json of the checkout the packages take over. */
interface CheckoutPackage {
  readonly version: string
  readonly license: string
  readonly dependencies: Versions
  readonly devDependencies: Versions
  readonly optionalDependencies: Versions
}

/** Needed, and nothing that the platform runs with: authors' tests, their types, and what drives the browser of their pages. */
const besides = ['mocha', '@types/mocha', '@types/node', 'typescript', 'playwright-core']
/** Of the oldest Node that may start the program; it brings along the one it runs under. */
const engines = { node: '>=20' }

/** Reads package.json of the checkout. */
export async function readCheckoutPackage(checkout: string): Promise<CheckoutPackage> {
  return JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as CheckoutPackage
}

/** package.json of `@stoa/cli`, which depends on what its program names. */
export function describeCli(
  { version, license, dependencies, devDependencies, optionalDependencies }: CheckoutPackage,
  named: readonly string[],
): object {
  const known = new Map(Object.entries(dependencies))
  for (const name of besides) known.set(name, known.get(name) ?? devDependencies[name] ?? '*')
  const wanted = new Set([...named, ...besides])
  const needed = [...known].filter(([name]) => wanted.has(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    name: '@stoa/cli',
    version,
    description: 'Makes, tries, tests and publishes plugins of Stoa',
    license,
    type: 'module',
    engines,
    bin: { stoa: './marketplace/bin/stoa.js' },
    exports: { './testing': './marketplace/testing.js', './package.json': './package.json' },
    imports: {
      '#kernel': './kernel/index.js',
      '#kernel/schemas': './kernel/schemas.js',
      '#sandbox': './sandbox/index.js',
      '#marketplace': './marketplace/index.js',
    },
    dependencies: { '@stoa/plugin-sdk': version, ...Object.fromEntries(needed) },
    optionalDependencies,
  }
}

/** package.json of `@stoa/plugin-sdk`, which depends on nothing: its tests are run by the command line. */
export function describeSdk({ version, license }: CheckoutPackage): object {
  return {
    name: '@stoa/plugin-sdk',
    version,
    description: 'What plugins of Stoa are written with: types, tests and the bridge of their pages',
    license,
    type: 'module',
    engines,
    exports: {
      '.': { types: './sdk/index.d.ts', default: './index.js' },
      './testing': { types: './sdk/testing/index.d.ts', default: './testing.js' },
      './ui': { types: './sdk/ui/stoa-ui.d.ts', default: './ui/stoa-ui.js' },
      './ui.css': './ui/stoa-ui.css',
      './manifest.schema.json': './manifest.schema.json',
      './package.json': './package.json',
    },
    peerDependencies: { '@stoa/cli': version },
    peerDependenciesMeta: { '@stoa/cli': { optional: true } },
  }
}
