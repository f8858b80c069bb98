import type { PluginFile } from '#marketplace'
import {
  createAuthority,
  createIndexContent,
  samplePlugin,
  sampleVersion,
  type IndexAuthority,
  type IndexContent,
} from './index-content.ts'

const categories = ['reporting', 'tools', 'chat', 'storage', 'security']
const words = ['report', 'clock', 'sales', 'table', 'export', 'mail', 'guest', 'board', 'note', 'chart']

/** A signed index of so many plugins with titles and descriptions in two languages, the same at every call but for the key. */
export function createIndexOfMany(
  count = 5_000,
  authority: IndexAuthority = createAuthority(),
): { readonly authority: IndexAuthority; readonly content: IndexContent } {
  const plugins = Array.from({ length: count }, (_, at) => manyPlugin(at))
  return { authority, content: createIndexContent({ authority, plugins }) }
}

/** One plugin of such an index. */
export function manyPlugin(at: number): PluginFile {
  const word = (step: number) => words[Math.floor(at / step) % words.length] ?? 'word'
  const publisher = `maker${at % 97}`
  const text = `${word(1)} and ${word(10)} for teams that ${word(100)} every day, number ${at}. `
  return samplePlugin({
    name: `${publisher}.${word(1)}-${word(10)}-p${at}`,
    publisher,
    title: { default: `${word(1)} ${word(10)} ${at}`, 'zh-CN': `报表 ${at}` },
    description: { default: text.repeat(2), 'zh-CN': `为每天使用的团队准备，第 ${at} 个。`.repeat(3) },
    categories: [categories[at % categories.length] ?? 'tools'],
    keywords: [...new Set([word(1), word(10), word(100)])],
    versions: [sampleVersion(`1.${at % 20}.0`, { capabilities: at % 2 === 0 ? ['http', 'storage'] : ['ui'] })],
  })
}
