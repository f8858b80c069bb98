import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkManifestFiles, compileMigrations, sandboxLimits, parseManifest } from '#sandbox'
import { PackageInvalidError } from '../errors.ts'
import type { Extracted } from './extract-apart.ts'
import { iconSize } from './icon-size.ts'
import type { OpenedPackage } from './opened-package.ts'
import { parseSignature } from './signature.ts'
import { parseStrictJson } from './strict-json.ts'
import { signaturePath, sortByPath, treeHash } from './tree.ts'
import type { PackageRule } from './violation.ts'

/** Most files of texts: one a language, and that of no language. */
const mostLocales = 41
/** The byte that a png begins with, and a WebP does not. */
const png = 0x89

/** Reads what was unpacked into a folder: checks the manifest, the texts and the icon, and compiles the migrations. Nothing of it runs. */
export async function describeTree({ files, sha256, size }: Extracted, directory: string): Promise<OpenedPackage> {
  const read = (path: string) => readFile(join(directory, path))
  const text = await read('manifest.json')
  const manifest = parseManifest(text)
  checkManifestFiles(manifest, new Map(files.map((file) => [file.path, file.size])))
  const migrations = await compileMigrations(
    { plugin: manifest.name, tables: manifest.db?.tables ?? [] },
    files
      .filter(({ path }) => path.startsWith('migrations/'))
      .map((file) => ({ path: file.path, size: file.size, read: () => read(file.path) })),
  )
  const locales = files.filter(({ path }) => path.startsWith('locales/'))
  if (locales.length > mostLocales) throw refused('locale', `it has more than ${mostLocales} files of texts`)
  for (const { path } of locales) checkLocale(path, await read(path))
  for (const { path } of files) if (path.startsWith('icon.')) checkIcon(path, await read(path))
  const isSigned = files.some(({ path }) => path === signaturePath)
  return {
    manifest,
    manifestText: text.toString('utf8'),
    treeHash: treeHash(files),
    files: sortByPath(files),
    sha256,
    size,
    directory,
    migrations,
    signature: isSigned ? parseSignature(await read(signaturePath)) : undefined,
  }
}

/** A file of texts is one flat object. */
function checkLocale(path: string, file: Buffer): void {
  const texts = parseStrictJson(file, 1)
  const isFlat =
    typeof texts === 'object' && texts !== null && Object.values(texts).every((text) => typeof text === 'string')
  if (!isFlat || Array.isArray(texts)) throw refused('locale', 'a file of texts is not one flat object of texts', path)
}

/** Pages show it beside the plugin's name: an image of two kinds, and no wall of pixels. */
function checkIcon(path: string, file: Buffer): void {
  const most = sandboxLimits.iconPixels.max
  const isWhatItSays = (file[0] === png) === path.endsWith('.png')
  const size = isWhatItSays ? iconSize(file) : undefined
  const isFine = size && Math.min(size.width, size.height) > 0 && Math.max(size.width, size.height) <= most
  if (!isFine) {
    const problem = size
      ? `the icon is not 1 to ${most} pixels wide and high`
      : 'the icon is no PNG or WebP image, or not of the kind its name says'
    throw refused('icon', problem, path)
  }
}

function refused(rule: PackageRule, problem: string, path?: string): Error {
  return new PackageInvalidError({ problem }, { details: path === undefined ? { rule } : { rule, path } })
}
