import type { FieldError } from '#kernel'
import { sandboxLimits } from '../limits.ts'
import { ManifestInvalidError } from './errors.ts'
import { collectFaults } from './fault.ts'
import type { PluginManifest } from './plugin-manifest.ts'

/** Checks that every file the manifest names is in the package, and small enough; `sizes` has the size in bytes by path. */
export function checkManifestFiles(manifest: PluginManifest, sizes: ReadonlyMap<string, number>): void {
  const faults: FieldError[] = []
  const report = collectFaults(faults)
  const need = (field: string, path: string, most: number = sandboxLimits.fileBytes.max) => {
    const size = sizes.get(path)
    if (size === undefined) report(field, 'file', `The package has no file ${path}.`)
    else if (size > most) report(field, 'size', `${path} is larger than ${most} bytes.`)
  }
  need('main', manifest.main, sandboxLimits.entryBytes.max)
  if (manifest.icon) need('icon', manifest.icon, sandboxLimits.iconBytes.max)
  manifest.slots?.forEach(({ entry }, index) => need(`slots.${index}.entry`, entry))
  for (const [locale, path] of Object.entries(manifest.readme ?? {}))
    need(`readme.${locale}`, path, sandboxLimits.readmeBytes.max)
  manifest.locales?.forEach((locale, index) => {
    if (locale !== 'default') need(`locales.${index}`, localeFile(locale), sandboxLimits.localeBytes.max)
  })
  const hasMigrations = [...sizes.keys()].some((path) => path.startsWith('migrations/'))
  if (hasMigrations && !manifest.db) report('db', 'required', 'The package has migrations: name the tables they make.')
  if (manifest.db && !hasMigrations)
    report('db.migrations', 'file', 'The package has no migrations that make these tables.')
  if (faults.length > 0) throw new ManifestInvalidError({ errors: faults })
}

/** Where the texts of a language are: `locales/zh-CN.json`. */
export function localeFile(locale: string): string {
  return `locales/${locale}.json`
}
