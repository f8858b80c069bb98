import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { consentItems, type ConsentItem } from '#sandbox'
import type { Inspection } from '../inspect/inspect-plugin.ts'
import { checkLoad } from '../keeper/check-load.ts'
import { checkTables } from '../keeper/check-tables.ts'
import { describeFinding, type Finding } from '../lint/finding.ts'
import { openPackage } from '../package/open.ts'
import { onlyOperand, requireManifest, UsageError, type Answer, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'

/** `stoa validate`: whether a folder or a package would be accepted, and what it would ask for. */
export const validate: Command = {
  usage: '<folder or package> [--strict]',
  summary: 'Checks a plugin, lists what it will ask an administrator for and, for a folder, what could be better.',
  examples: ['stoa validate sales'],
  options: {},
  flags: { strict: 'warnings count as errors' },
  async run(operands, _, flags, progress) {
    const path = onlyOperand(operands, "a plugin's folder or package")
    const found = await stat(path).catch(() => {
      throw new UsageError(`There is no ${path}.`)
    })
    const { manifest, findings } = found.isDirectory()
      ? await inspectFolder(path, (doing) => progress.tell(doing))
      : await inspectPackage(path)
    if (!manifest) return refused(join(path, 'manifest.json'), findings)
    const asked = consentItems(manifest).filter(
      ({ capability }) => !['limits', 'routes', 'licensing'].includes(capability),
    )
    const isFine = !findings.some(({ level }) => level === 'error' || flags.has('strict'))
    const verdict = isFine ? 'is valid' : 'is not valid'
    return {
      text: [
        `${manifest.name} ${manifest.version} ${verdict}.`,
        ...asked.map(present),
        ...findings.map(describeFinding),
      ],
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

async function inspectFolder(directory: string, tell: (doing: string) => void): Promise<Inspection> {
  await requireManifest(directory)
  tell('Checking, and loading it in a sandbox')
  // Only here: the compiler is most of what the command line would load.
  const { inspectPlugin } = await import('../inspect/inspect-plugin.ts')
  return inspectPlugin(directory, { isLoaded: true, hasTests: true })
}

/** A package has no sources to look at: it is opened and loaded as an upload is. */
async function inspectPackage(path: string): Promise<Inspection> {
  return inScratch(async (scratch) => {
    const opened = await openPackage(path, join(scratch, 'release/tree'))
    await checkLoad(opened, scratch)
    return { manifest: opened.manifest, findings: await checkTables(opened, scratch) }
  })
}

function refused(path: string, findings: readonly Finding[]): Answer {
  return {
    text: [`${path} is not valid.`, ...findings.map(describeFinding)],
    json: { valid: false, findings, name: null, version: null, asks: [] },
    exitCode: 1,
  }
}

function present({ capability, optional, reason = '' }: ConsentItem): string {
  return `  asks for ${capability}${optional ? ' (optional)' : ''}: ${reason}`
}
