import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppError } from '#kernel'
import { describeAbsence } from '../lint/absent-globals.ts'
import type { Finding } from '../lint/finding.ts'
import { findJsonFault } from './find-json-fault.ts'
import { lineOfField } from './locate-field.ts'

/** A place in a plugin's own source, as the platform names it. */
const ownPlace = /\(?(?:plugin:)?(?<file>[\w@./-]+\.[cm]?[jt]sx?):(?<line>\d+):\d+\)?/

/** What the platform would refuse a plugin with, at the place that its author has to look at. */
export async function toFindings(
  error: AppError,
  directory: string,
  manifestText: string,
): Promise<readonly Finding[]> {
  const { reason, message, errors, details = {} } = error
  const manifest = (field: string): Pick<Finding, 'level' | 'file' | 'line'> => {
    return { level: 'error', file: 'manifest.json', line: lineOfField(manifestText, field) }
  }
  if (errors)
    return errors.map(({ field, rule, message }) => {
      const fault = rule === 'syntax' ? findJsonFault(manifestText) : undefined
      if (!fault)
        return {
          ...{ ...manifest(field), rule: `manifest_${rule}` },
          message: field === '' ? message : `${field}: ${message}`,
        }
      const { line, column, expected, found } = fault
      const said = `This is no JSON: column ${column} has ${found}, and should have ${expected}.`
      return { level: 'error', file: 'manifest.json', line, rule: 'manifest_syntax', message: said }
    })
  const { file, line, path } = details as { readonly file?: string; readonly line?: number; readonly path?: string }
  const place = ownPlace.exec(message)?.groups
  if (place?.['file'] !== undefined) {
    const said = message.replace(ownPlace, '').trim()
    const absent = /(?<name>\w+) is not defined$/.exec(said)?.groups?.['name'] ?? ''
    const why = describeAbsence(absent, place['file'])
    return [
      {
        ...{ level: 'error', rule: reason, file: place['file'], line: Number(place['line']) },
        message: why === undefined ? said : `${said}. ${why}`,
      },
    ]
  }
  const absent = /it has no (?<kind>\w+) "(?<name>[\w.]+)"/.exec(message)?.groups?.['name']
  if (absent !== undefined) {
    const near = lineOf(manifestText, JSON.stringify(absent))
    const sources = (await Array.fromAsync(glob('src/index.{ts,js}', { cwd: directory }))).join()
    const mend = `Write it, export it from ${sources || 'the main module'}, or mend its name here.`
    return [{ level: 'error', rule: reason, file: 'manifest.json', line: near, message: `${message}. ${mend}` }]
  }
  // Migrations that fit together make other tables than the manifest says.
  if (file === 'migrations/') return [{ ...manifest('db.tables'), rule: reason, message }]
  if (file === undefined && path === undefined) return [{ ...manifest(''), rule: reason, message }]
  const text = await readFile(join(directory, path ?? file ?? ''), 'utf8').catch(() => '')
  return [{ level: 'error', rule: reason, file: path ?? file ?? '', line: line ?? (text ? 1 : 0), message }]
}

function lineOf(text: string, needle: string): number {
  return (
    Math.max(
      0,
      text.split('\n').findIndex((line) => line.includes(needle)),
    ) + 1
  )
}
