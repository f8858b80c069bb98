import { packageLimits } from '../package/package-limits.ts'
import { indexLimits } from '../index-format/index-limits.ts'
import { parseReviewFile } from '../index-format/review-file.ts'
import { createTransport } from './create-transport.ts'
import { downloadPackage } from './download-package.ts'
import { IndexEntryNotFoundError, IndexFileNotFoundError } from './errors.ts'
import { imageTypeOf } from './image-type.ts'
import type { IndexImage, IndexSource, IndexSourceOptions, IndexSourceTools } from './index-source.ts'
import type { ListedPlugin } from './listed-snapshot.ts'
import { findLocalisedText } from './localised-text.ts'
import { PluginFiles } from './plugin-files.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'

const noPublishers = { format: 1, publishers: {} } as const
const noRevocations = { format: 1, plugins: [], keys: [], licenses: [] } as const

/** Opens an index; nothing is read before `load` or `refresh`. Throws SourceInvalidError. */
export function openIndexSource(options: IndexSourceOptions, tools: IndexSourceTools): IndexSource {
  const { id, packageBytes = packageLimits.zipBytes } = options
  const transport = createTransport(options, tools)
  const keeper = new SnapshotKeeper(options, tools, transport)
  const files = new PluginFiles(transport, tools.cache)
  const getPlugin = (name: string): ListedPlugin => {
    const plugin = keeper.snapshot?.find(name)
    if (!plugin) throw new IndexEntryNotFoundError({ source: id, entry: name })
    return plugin
  }
  const findImage = async (plugin: ListedPlugin, path: string, maxBytes: number): Promise<IndexImage | undefined> => {
    const bytes = await files.find(plugin, path, maxBytes)
    const type = bytes && imageTypeOf(bytes)
    return type && { path, type, bytes }
  }
  return {
    id,
    get state() {
      return keeper.state
    },
    load: () => keeper.load(),
    refresh: (asked) => keeper.refresh(asked),
    list: (query = {}) => keeper.snapshot?.list(query) ?? [],
    find: (name) => keeper.snapshot?.find(name)?.summary,
    get categories() {
      return keeper.snapshot?.verified.categories.categories ?? []
    },
    get publishers() {
      return keeper.snapshot?.verified.publishers ?? noPublishers
    },
    get revocations() {
      return keeper.snapshot?.verified.revocations ?? noRevocations
    },
    detail: async (name) => files.detail(getPlugin(name)),
    async readme(name, locale) {
      const plugin = getPlugin(name)
      return findLocalisedText('README', locale, (path) => files.find(plugin, path, indexLimits.readmeBytes))
    },
    async changelog(name, locale) {
      const plugin = getPlugin(name)
      return findLocalisedText('CHANGELOG', locale, (path) => files.find(plugin, path, indexLimits.changelogBytes))
    },
    async icon(name) {
      const plugin = getPlugin(name)
      const paths = plugin.entry.icon === undefined ? ['icon.png', 'icon.webp'] : [plugin.entry.icon]
      for (const path of paths) {
        const image = await findImage(plugin, path, indexLimits.iconBytes)
        if (image) return image
      }
      return undefined
    },
    async image(name, path) {
      const image = await findImage(getPlugin(name), path, indexLimits.imageBytes)
      if (!image) throw new IndexFileNotFoundError({ name, file: path })
      return image
    },
    async review(name, version) {
      const bytes = await files.find(getPlugin(name), `review/${version}.json`, indexLimits.reviewBytes)
      return bytes && parseReviewFile(bytes)
    },
    async download(name, version, target, asked) {
      const plugin = getPlugin(name)
      const { versions } = await files.detail(plugin)
      const found = versions.find((each) => each.version === version)
      if (!found) throw new IndexEntryNotFoundError({ source: id, entry: `${name} ${version}` })
      const { path: folder } = plugin.entry
      const { pause, graceMs } = tools
      const limits = { maxBytes: packageBytes, ...(pause && { pause }), ...(graceMs && { graceMs }) }
      return downloadPackage({ source: id, name, folder, version: found, target, transport, ...limits }, asked)
    },
  }
}
