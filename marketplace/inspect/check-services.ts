import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { satisfies } from 'semver'
import type { PluginManifest } from '#sandbox'
import { findCopied, readCopies } from '../author/copied-services.ts'
import type { Finding } from '../lint/finding.ts'
import { lineOfField } from './locate-field.ts'

/** Compares the copies of what other plugins provide with what the manifest uses of them. */
export async function checkServices(
  directory: string,
  { uses = {} }: PluginManifest,
  manifestText: string,
): Promise<readonly Finding[]> {
  const { copies, faults } = await readCopies(directory)
  const broken = faults.map(async ({ file, field, message }): Promise<Finding> => {
    const line = lineOfField(await readFile(join(directory, file), 'utf8'), field)
    return {
      level: 'error',
      rule: 'service_copy',
      file,
      line,
      message: field === '' ? message : `${field}: ${message}`,
    }
  })
  const unfit = Object.entries(uses).flatMap(([id, range]): readonly Finding[] => {
    const copied = findCopied(copies, id)
    const line = manifestText.split('\n').findIndex((text) => text.includes(JSON.stringify(id))) + 1
    const at = { level: 'error', file: 'manifest.json', line: Math.max(line, 1) } as const
    if (copied && !satisfies(copied.service.version, range)) {
      const { file, service } = copied
      const message = `${file} is of ${id} ${service.version}, which ${range} does not take: change the range, or copy the version that is meant with stoa types --service.`
      return [{ ...at, rule: 'service_version', message }]
    }
    const copy = copies.find(({ manifest }) => id.startsWith(`${manifest.name}/`))
    if (!copy || copied) return []
    const provided = copy.manifest.provides?.services?.map(({ name }) => `${copy.manifest.name}/${name}`) ?? []
    const message = `${copy.file} has no ${id}, but ${provided.join(', ') || 'none'}: copy it with stoa types --service.`
    return [{ ...at, rule: 'service_absent', message }]
  })
  return [...(await Promise.all(broken)), ...unfit]
}
