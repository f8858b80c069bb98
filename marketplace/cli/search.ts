import { ownValue } from '../index-format/form.ts'
import { indexLimits } from '../index-format/index-limits.ts'
import { parsePluginFile, type PluginFile } from '../index-format/plugin-file.ts'
import { describeRun } from '../keeper/describe-run.ts'
import { IndexRefusal } from '../keeper/index-refusal.ts'
import { createIndexReader, readSnapshot, readVerified } from '../keeper/read-index.ts'
import { nearest } from '../nearest.ts'
import { onlyOperand, type Command } from './command.ts'
import { pinnedRoot, rootOption } from './index-options.ts'
import { alignColumns } from './table.ts'

const options = {
  index: 'the address or the folder of the index; this folder unless given',
  root: rootOption,
}

/** `stoa search`: what an index offers. */
export const search: Command = {
  usage: '[<words>] [--index <address or folder>] [--root <fingerprint>]',
  summary: 'Lists the plugins of an index in which all the words occur.',
  about: ['What is listed is verified by the signature of the index.'],
  examples: ['stoa search sales --index plugins'],
  options,
  async run(operands, { index = '.', root }) {
    const words = operands.flatMap((operand) => operand.toLowerCase().split(/\s+/)).filter(Boolean)
    const { snapshot } = await readSnapshot(createIndexReader(index), pinnedRoot(root))
    const found = Object.entries(snapshot.index.plugins).filter(([name, { title, description, keywords = [] }]) => {
      const texts = [name, ...Object.values(title ?? {}), ...Object.values(description ?? {}), ...keywords]
      const all = texts.join(' ').toLowerCase()
      return words.every((word) => all.includes(word))
    })
    const rows = found.map(([name, { latest, trust, title }]) => [name, latest, trust, title?.default ?? ''])
    return {
      text: rows.length === 0 ? ['There is none.'] : alignColumns(rows),
      json: found.map(([name, { latest, trust, title, description }]) => ({ name, latest, trust, title, description })),
    }
  },
}

/** `stoa show`: one plugin of an index. */
export const show: Command = {
  usage: '<name> [--index <address or folder>] [--root <fingerprint>]',
  summary: 'Tells what an index says of a plugin: what it asks for, and its versions.',
  examples: ['stoa show acme.sales --index plugins'],
  options,
  async run(operands, { index = '.', root }) {
    const name = onlyOperand(operands, 'the name of a plugin')
    const read = createIndexReader(index)
    const { snapshot } = await readSnapshot(read, pinnedRoot(root))
    const entry = ownValue(snapshot.index.plugins, name)
    if (!entry) {
      const near = nearest(name, Object.keys(snapshot.index.plugins))
      throw new IndexRefusal(`The index has no plugin ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`)
    }
    const file = { path: `${entry.path}plugin.json`, sha256: entry.sha256, most: indexLimits.pluginBytes }
    const plugin = parsePluginFile(await readVerified(read, file))
    return { text: describe(plugin, entry.trust), json: { ...plugin, trust: entry.trust } }
  },
}

function describe({ name, publisher, title, description, license, versions }: PluginFile, trust: string) {
  const [newest] = versions
  const { capabilities = [], optionalCapabilities = [], hosts = [], provenance } = newest ?? {}
  const asks = [...capabilities, ...optionalCapabilities.map((right) => `${right} (may be refused)`)]
  return [
    `${name} ${newest?.version ?? ''}  ${title?.default ?? ''}`,
    ...(description ? [description.default] : []),
    `  publisher  ${publisher}, ${trust}`,
    ...(license === undefined ? [] : [`  licence    ${license}`]),
    `  asks for   ${asks.join(', ') || 'nothing'}`,
    ...(hosts.length === 0 ? [] : [`  hosts      ${hosts.join(', ')}`]),
    ...(provenance ? [`  built by   ${describeRun(provenance)}`] : []),
    '',
    ...alignColumns(
      versions.map(({ version, published, engines, kid, yanked }) => [
        `  ${version}`,
        published.slice(0, 'YYYY-MM-DD'.length),
        `host ${engines.host}`,
        kid === null ? 'not signed' : kid,
        yanked === null ? '' : `taken back: ${yanked.reason}`,
      ]),
    ),
  ]
}
