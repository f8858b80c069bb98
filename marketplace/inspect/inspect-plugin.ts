import { readFile, rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#kernel'
import { parseManifest, type PluginManifest } from '#sandbox'
import { readNames } from '../author/read-names.ts'
import { writeNames } from '../author/write-types.ts'
import { checkLoad } from '../keeper/check-load.ts'
import { checkTables } from '../keeper/check-tables.ts'
import type { Finding } from '../lint/finding.ts'
import { lintFolder } from '../lint/lint-folder.ts'
import { lintSources } from '../lint/lint-names.ts'
import { packPlugin } from '../pack.ts'
import { openPackage } from '../package/open.ts'
import { checkServices } from './check-services.ts'
import { toFindings } from './to-findings.ts'
import { TypeChecker } from './type-checker.ts'

/** What was found out about a plugin's folder. */
export interface Inspection {
  /** Undefined where there is none that can be read. */
  readonly manifest: PluginManifest | undefined
  /** Errors first. */
  readonly findings: readonly Finding[]
}

/** How deep a folder is looked into. */
interface InspectOptions {
  /** Types are checked by it, where one is kept from one look to the next. */
  readonly types?: TypeChecker
  /** Also packs the folder, loads it in a sandbox of its own as an upload does, and makes its tables as an installation does. */
  readonly isLoaded: boolean
  /** Also checks the types of its tests. */
  readonly hasTests?: boolean
}

/** Looks at a plugin's folder as the platform would, and further: all that keeps it from working, with file, line and mend. */
export async function inspectPlugin(
  directory: string,
  { types = new TypeChecker(directory), isLoaded, hasTests = false }: InspectOptions,
): Promise<Inspection> {
  const text = await readFile(join(directory, 'manifest.json'), 'utf8')
  const findings: Finding[] = []
  const attempt = async (work: () => Promise<readonly Finding[]>): Promise<boolean> => {
    try {
      findings.push(...(await work()))
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      findings.push(...(await toFindings(error, directory, text)))
      return false
    }
  }
  let manifest: PluginManifest | undefined
  await attempt(() => Promise.resolve(((manifest = parseManifest(text)), [])))
  const known = manifest
  if (!known) return { manifest, findings }
  await attempt(async () => lintSources(directory, await readNames(directory, known)))
  findings.push(...(await checkServices(directory, known, text)))
  const isWhole = await attempt(() => lintFolder(directory))
  await writeNames(directory)
  findings.push(...types.check().filter((found) => !isToldBetter(found, findings)))
  if (hasTests) findings.push(...types.checkTests())
  if (isWhole && isLoaded) await attempt(() => loadApart(directory))
  const told = findings.filter((found) => found.level === 'error' || !isToldBetter(found, findings))
  return { manifest, findings: told.sort(byGravity) }
}

/** What was told of a line in words is not told again in types, nor what keeps it from working as something to weigh. */
function isToldBetter({ file, line }: Finding, told: readonly Finding[]): boolean {
  return told.some((other) => other.level === 'error' && other.file === file && other.line === line)
}

async function loadApart(directory: string): Promise<readonly Finding[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'stoa-inspect-'))
  // Sandbox hosts may run as somebody else, who must get through whatever the author's own files are.
  const usual = process.umask(0o022)
  try {
    const { file } = await packPlugin(directory, { out: join(scratch, 'pkg.zip') })
    const opened = await openPackage(file, join(scratch, 'release/tree'))
    await checkLoad(opened, scratch)
    return await checkTables(opened, scratch)
  } finally {
    process.umask(usual)
    await rm(scratch, { recursive: true, force: true })
  }
}

function byGravity(one: Finding, other: Finding): number {
  return one.level === other.level ? 0 : one.level === 'error' ? -1 : 1
}
