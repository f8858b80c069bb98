import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { consentItems, type ConsentItem, type PluginManifest } from '#sandbox'
import { packPlugin } from '../pack.ts'
import { openPackage } from '../package/open.ts'
import { onlyOperand, UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'

/** `stoa validate`: whether a folder or a package would be accepted, and what it would ask for. */
export const validate: Command = {
  usage: '<folder or package>',
  summary: 'Checks a plugin and lists what it will ask an administrator for.',
  options: {},
  async run(operands) {
    const path = onlyOperand(operands, "a plugin's folder or package")
    const found = await stat(path).catch(() => {
      throw new UsageError(`There is no ${path}.`)
    })
    const manifest = await inScratch((folder) => check(path, found.isDirectory(), folder))
    const asked = consentItems(manifest).filter(({ capability }) => capability !== 'limits' && capability !== 'routes')
    return {
      text: [`${manifest.name} ${manifest.version} is valid.`, ...asked.map(present)],
      json: {
        valid: true,
        name: manifest.name,
        version: manifest.version,
        asks: asked.map(({ capability, optional, reason = null, detail }) => ({
          capability,
          optional,
          reason,
          detail,
        })),
      },
    }
  },
}

async function check(path: string, isFolder: boolean, scratch: string): Promise<PluginManifest> {
  const { manifest } = isFolder
    ? await packPlugin(path, { out: join(scratch, 'pkg.zip') })
    : await openPackage(path, join(scratch, 'tree'))
  return manifest
}

function present({ capability, optional, reason = '' }: ConsentItem): string {
  return `  asks for ${capability}${optional ? ' (optional)' : ''}: ${reason}`
}
