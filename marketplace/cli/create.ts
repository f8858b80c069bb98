import { cp, glob, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { pluginNameForm } from '#sandbox'
import { writeSurroundings } from '../author/scaffold.ts'
import { writeTypes } from '../author/write-types.ts'
import { onlyOperand, UsageError, type Command } from './command.ts'

const templates = resolve(import.meta.dirname, '../templates')
const kinds = ['basic', 'captcha', 'tool']
/** The name in the templates, which are whole plugins themselves. */
const [sampleName, samplePublisher, sampleTitle] = ['acme.example', 'acme', 'Example']

/** `stoa create`: a folder with a plugin that works. */
export const create: Command = {
  usage: '<publisher.name> [--template basic|captcha|tool] [--out <folder>] [--packages <folder>]',
  summary: 'Makes a plugin with a test that passes, to begin with.',
  examples: ['stoa create acme.sales --out sales'],
  options: {
    template: 'basic (tables, pages, settings; the usual one), captcha or tool (for AI agents)',
    out: 'the folder; named after the plugin in this folder unless given',
    packages: 'a folder with the tarballs of @stoa/cli and @stoa/plugin-sdk, where no registry has them',
  },
  async run(operands, { template = 'basic', out, packages }) {
    const name = onlyOperand(operands, "the plugin's name, such as acme.sales-report")
    if (!pluginNameForm.test(name) || name.length > 64)
      throw new UsageError(
        `${name} is no name of a plugin: <publisher>.<name>, lower-case letters, digits and hyphens.`,
      )
    if (!kinds.includes(template)) throw new UsageError(`There is no template ${template}: ${kinds.join(', ')}.`)
    const folder = resolve(out ?? name.replace('.', '-'))
    await requireEmpty(folder)
    await cp(join(templates, template), folder, { recursive: true })
    for await (const path of glob('**/*.*', { cwd: folder })) await rename(join(folder, path), name)
    await writeSurroundings(folder, name, packages && resolve(packages))
    await writeTypes(folder)
    const shown = relative('', folder) || '.'
    return {
      text: [`Made ${name} in ${shown}. Now:`, `  cd ${shown}`, '  npm install', '  npm test', '  npm run dev'],
      json: { name, template, folder },
    }
  },
}

/** Never over what is there. */
async function requireEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch(() => {
    throw new UsageError(`${folder} cannot be made.`)
  })
  const [first] = await readdir(folder)
  if (first !== undefined) throw new UsageError(`${folder} is not empty: it has ${first}.`)
}

async function rename(path: string, name: string): Promise<void> {
  const [publisher = '', short = ''] = name.split('.')
  const title = short.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())
  const text = await readFile(path, 'utf8')
  const named = text
    .replaceAll(sampleName, name)
    .replaceAll(`"${samplePublisher}"`, `"${publisher}"`)
    .replaceAll(`"${sampleTitle}"`, `"${title}"`)
  await writeFile(path, basename(path).startsWith('README') ? named.replace(`# ${sampleTitle}`, `# ${title}`) : named)
}
