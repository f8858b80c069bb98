import { ExpiringMap } from '#kernel'
import { renderMarkdown } from '#marketplace'
import type { Knex } from 'knex'
import { readPackaged, type PackagedParts } from '../releases/packaged-file.ts'
import { getRelease } from '../releases/release-archive.ts'
import { ReadmeNotFoundError } from '../shared/errors.ts'
import type { PluginRow, ReleaseRow } from '../shared/models.ts'

/** How many are kept, and for how long: a long one is rendered one after the other. */
const mostKept = 100
const keptMilliseconds = 10 * 60_000
const rendered = new ExpiringMap<string, Promise<string>>(mostKept)

/** The README of the active release as safe HTML: in the language, or else the default one. Throws 404/4040 without any. */
export async function readReadme(
  parts: PackagedParts & { readonly db: Knex },
  plugin: PluginRow,
  language: string,
): Promise<{ readonly locale: string; readonly html: string }> {
  const release = await getRelease(parts.db, plugin.activeRelease)
  const found = findReadme(release, language)
  const bytes = found && (await readPackaged(parts, plugin, release, found.file))
  if (!bytes) throw new ReadmeNotFoundError({ name: plugin.name })
  return { locale: found.locale, html: await render(release.files[found.file] ?? '', bytes) }
}

/** A file of a release never changes: it is rendered once, by its hash. */
function render(sha256: string, bytes: Buffer): Promise<string> {
  const known = rendered.get(sha256)
  if (known) return known
  const html = renderMarkdown(new TextDecoder().decode(bytes))
  rendered.set(sha256, html, keptMilliseconds)
  html.catch(() => rendered.delete(sha256))
  return html
}

/** As the manifest names them, else by their usual names. */
function findReadme({ manifest, files }: ReleaseRow, language: string) {
  const named: Readonly<Record<string, string>> = manifest.readme ?? {}
  for (const locale of [language, language.split('-')[0] ?? language, 'default']) {
    const usual = locale === 'default' ? 'README.md' : `README.${locale}.md`
    const file = Object.hasOwn(named, locale) ? named[locale] : usual
    if (file !== undefined && Object.hasOwn(files, file)) return { locale, file }
  }
  return undefined
}
