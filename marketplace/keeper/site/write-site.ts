import { join } from 'node:path'
import { locales, type Locale } from '#kernel'
import { findLocalisedText } from '../../index-client/localised-text.ts'
import { renderMarkdown } from '../../index-client/render-markdown.ts'
import { pluginFolder } from '../../index-format/index-entry.ts'
import type { IndexFile } from '../../index-format/index-file.ts'
import type { PluginFile } from '../../index-format/plugin-file.ts'
import { readPart } from '../index-folder.ts'
import { writeAtomic } from '../write-atomic.ts'
import { createFeed } from './feed.ts'
import { listPage, pluginPage, type ShownPlugin } from './pages.ts'
import { searchScript, siteStyles } from './static-files.ts'
import { folderOf } from './words.ts'

/** What a site is made of. */
interface SiteParts {
  readonly title: string
  /** Of root.json. */
  readonly fingerprint: string
  readonly index: IndexFile
  readonly plugins: readonly PluginFile[]
}

/** Writes the web site of an index beside its files: pages for people, in every language, that any static host serves. */
export async function writeSite(directory: string, { title, fingerprint, index, plugins }: SiteParts): Promise<void> {
  for (const locale of locales) {
    const around = { title, generated: index.generated, locale }
    const shown: ShownPlugin[] = []
    for (const plugin of plugins) shown.push(await show(directory, plugin, index, locale))
    await write(directory, `${folderOf(locale)}index.html`, listPage(around, shown))
    for (const one of shown)
      await write(directory, `${folderOf(locale)}plugins/${one.plugin.name}/index.html`, pluginPage(around, one))
  }
  await write(directory, 'feed.xml', createFeed(title, fingerprint, plugins))
  await write(directory, 'site.css', siteStyles)
  await write(directory, 'search.js', searchScript)
}

async function show(directory: string, plugin: PluginFile, index: IndexFile, locale: Locale): Promise<ShownPlugin> {
  const folder = pluginFolder(plugin.name)
  const up = folderOf(locale) === '' ? '../../' : '../../../'
  const render = async (name: 'README' | 'CHANGELOG'): Promise<string> => {
    const found = await findLocalisedText(name, locale, (path) => readPart(directory, folder + path))
    return found ? renderMarkdown(found.text, { files: up + folder }) : ''
  }
  const icon = Object.keys(plugin.files ?? {}).find((path) => path.startsWith('icon.'))
  const trust = index.plugins[plugin.name]?.trust ?? 'unsigned'
  return { plugin, trust, icon, readme: await render('README'), changelog: await render('CHANGELOG') }
}

function write(directory: string, path: string, text: string): Promise<void> {
  return writeAtomic(join(directory, path), text)
}
