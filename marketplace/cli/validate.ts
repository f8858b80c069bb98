import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { consentItems, type ConsentItem, type PluginManifest } from '#sandbox'
import type { Finding } from '../lint/finding.ts'
import { lintFolder } from '../lint/lint-folder.ts'
import { packPlugin } from '../pack.ts'
import { openPackage } from '../package/open.ts'
import { onlyOperand, UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'

/** `stoa validate`: whether a folder or a package would be accepted, and what it would ask for. */
export const validate: Command = {
  usage: '<folder or package> [--strict]',
  summary: 'Checks a plugin, lists what it will ask an administrator for and, for a folder, what could be better.',
  examples: ['stoa validate sales'],
  options: {},
  flags: { strict: 'warnings count as errors' },
  async run(operands, _, flags) {
    const path = onlyOperand(operands, "a plugin's folder or package")
    const found = await stat(path).catch(() => {
      throw new UsageError(`There is no ${path}.`)
    })
    const manifest = await inScratch((folder) => check(path, found.isDirectory(), folder))
    const asked = consentItems(manifest).filter(
      ({ capability }) => !['limits', 'routes', 'licensing'].includes(capability),
    )
    const findings = found.isDirectory() ? await lintFolder(path) : []
    const isFine = !findings.some(({ level }) => level === 'error' || flags.has('strict'))
    const verdict = isFine ? 'is valid' : 'would be accepted, and would not do what its author wants'
    return {
      text: [`${manifest.name} ${manifest.version} ${verdict}.`, ...asked.map(present), ...findings.map(describe)],
      exitCode: isFine ? 0 : 1,
      json: {
        valid: isFine,
        findings,
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

function describe({ level, rule, file, line, message }: Finding): string {
  return `${file}:${line} ${level} ${rule}: ${message}`
}
