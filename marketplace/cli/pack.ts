import { relative } from 'node:path'
import { describeFinding, type Finding } from '../lint/finding.ts'
import { packPlugin } from '../pack.ts'
import { onlyOperand, requireManifest, type Answer, type Command } from './command.ts'
import { readSigningKey } from './key-file.ts'

/** `stoa pack`: from a folder to a package. */
export const pack: Command = {
  usage: '<folder> [--out <file>] [--sign <key file>]',
  summary: "Packs a plugin's folder into one file that can be uploaded, if stoa validate has nothing against it.",
  examples: ['stoa pack sales'],
  options: {
    out: 'where the package goes; {name}-{version}.plugin.zip in this folder unless given',
    sign: 'sign with this key of stoa keygen',
  },
  async run(operands, { out, sign }, _, progress) {
    const folder = onlyOperand(operands, "the plugin's folder")
    await requireManifest(folder)
    progress.tell('Checking, and loading it in a sandbox')
    const { inspectPlugin } = await import('../inspect/inspect-plugin.ts')
    const { findings } = await inspectPlugin(folder, { isLoaded: true })
    const faults = findings.filter(({ level }) => level === 'error')
    if (faults.length > 0) return refused(folder, faults)
    progress.tell('Packing')
    const packed = await packPlugin(folder, {
      ...(out === undefined ? {} : { out }),
      ...(sign === undefined ? {} : { sign: await readSigningKey(sign) }),
    })
    const { file, manifest, sha256, size, treeHash, files, kid } = packed
    return {
      text: [
        `Packed ${manifest.name} ${manifest.version} into ${relative('', file) || file} (${files} files, ${size} bytes)`,
        `  tree   ${treeHash}`,
        `  sha256 ${sha256}`,
        kid === undefined ? '  not signed' : `  signed with ${kid}`,
        // Nobody sees these in the package any more.
        ...findings.filter(({ rule }) => rule === 'absent_global').map(describeFinding),
      ],
      json: {
        file,
        name: manifest.name,
        version: manifest.version,
        files,
        size,
        sha256,
        tree_hash: treeHash,
        kid: kid ?? null,
      },
    }
  },
}

function refused(folder: string, faults: readonly Finding[]): Answer {
  return {
    text: [`${folder} is not packed:`, ...faults.map(describeFinding)],
    json: { packed: false, findings: faults },
    exitCode: 1,
  }
}
