import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nearest } from '../nearest.ts'
import { methodsOf } from '../author/copied-services.ts'
import type { PluginNames } from '../author/read-names.ts'
import type { Finding } from './finding.ts'
import { withoutComments } from './without-comments.ts'

/** What a source names, how it is found, and what there is of it. */
interface NameRule {
  readonly rule: string
  readonly pattern: RegExp
  readonly what: string
  readonly where: string
  readonly known: readonly string[]
}

const serviceCall = String.raw`\bservices!?\??\.call(?:<[^()]*>)?`

/** Compares what all sources of a plugin's folder name with what there is. */
export async function lintSources(directory: string, names: PluginNames): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const file of (await Array.fromAsync(glob('src/**/*.{ts,tsx,js}', { cwd: directory }))).sort())
    findings.push(...lintNames(file, withoutComments(await readFile(join(directory, file), 'utf8')), names))
  return findings
}

/** Compares the names that a source writes down with those that the manifest, the migrations and the texts have. */
function lintNames(file: string, code: string, names: PluginNames): readonly Finding[] {
  const rules = rulesOf(names, code)
  return code.split('\n').flatMap((content, index) =>
    rules.flatMap(({ rule, pattern, what, where, known }) =>
      [...content.matchAll(pattern)].flatMap((match): readonly Finding[] => {
        const name = match.groups?.['name'] ?? ''
        if (known.includes(name) || isOfOwn(match.groups?.['on'], code)) return []
        const near = nearest(name, known)
        const mend = near === undefined ? `${where} ${list(known)}.` : `Did you mean ${near}?`
        const message = `There is no ${what} ${name}. ${mend}`
        return [{ level: 'error', rule, file, line: index + 1, message }]
      }),
    ),
  )
}

/** Whether a name is the console's, or one that the source imports or makes itself: no handle of the platform, which comes as a parameter. */
function isOfOwn(name: string | undefined, code: string): boolean {
  if (name === undefined) return false
  const made = String.raw`\b(?:const|let|var)\s+${name}\b[^=\n]*=\s*(?:new\b|[{[(])|\b(?:class|function)\s+${name}\b`
  const imported = String.raw`\bimport\b[^'"]*\b${name}\b[^'"]*\bfrom\b`
  return name === 'console' || new RegExp(`${made}|${imported}`).test(code)
}

function rulesOf(names: PluginNames, code: string): readonly NameRule[] {
  const { tables, config, texts, publishes, permissions, jobs, uses, copies, slots, templates } = names
  const literal = String.raw`\(\s*(?<q>['"\`])(?<name>[^'"\`$]+)\k<q>`
  const table = String.raw`\(\s*(?<q>['"\`])(?<name>[^'"\`$]+?)(?: as \w+)?\k<q>`
  const hasBareTexts = /\{[^{}]*\bt\b[^{}]*\}\s*(?::\s*\w+\s*)?[,)]/.test(code)
  const textCall = hasBareTexts ? String.raw`(?:\bctx\.t|(?<![.\w])t)` : String.raw`\bctx\.t`
  const rules = [
    {
      ...{ rule: 'unknown_table', what: 'table', where: 'The migrations make' },
      ...{ pattern: `(?:(?<on>\\w+)\\s*)?\\.table(?:<[^()]*>)?${table}`, known: [...tables.keys()] },
    },
    {
      ...{ rule: 'unknown_config', what: 'configuration item', where: 'The manifest has' },
      ...{ pattern: `\\bconfig\\.get${literal}`, known: config.map(({ key }) => key) },
    },
    {
      ...{ rule: 'unknown_event', what: 'event to publish', where: 'events.publish of the manifest has' },
      ...{ pattern: `\\bevents\\.(?:publish|tell)${literal}`, known: publishes },
    },
    {
      ...{ rule: 'unknown_permission', what: 'permission', where: 'The manifest has' },
      ...{ pattern: `\\bpermissions\\.includes${literal}`, known: permissions },
    },
    {
      ...{ rule: 'unknown_service', what: 'service', where: 'uses of the manifest has' },
      ...{ pattern: `${serviceCall}${literal}`, known: Object.keys(uses) },
    },
    ...Object.keys(uses).flatMap((service) => {
      const methods = methodsOf(copies, service)
      if (!methods) return []
      const method = String.raw`\s*,\s*(?<q>['"\`])(?<name>[^'"\`$]+)\k<q>`
      const quotedService = String.raw`\(\s*(?<s>['"\`])${RegExp.escape(service)}\k<s>`
      return [
        {
          ...{ rule: 'unknown_method', what: `method of ${service}`, where: `${service} has` },
          ...{ pattern: `${serviceCall}${quotedService}${method}`, known: methods.map(({ name }) => name) },
        },
      ]
    }),
    {
      ...{ rule: 'unknown_job', what: 'job', where: 'jobs of the manifest has' },
      ...{ pattern: `\\bjobs\\.enqueue${literal}`, known: jobs },
    },
    {
      ...{ rule: 'unknown_template', what: 'template', where: 'mail.templates of the manifest has' },
      ...{
        pattern: `\\bmail\\.send\\(\\s*\\{[^{}]*?\\btemplate:\\s*${literal.slice(5)}`,
        known: [...templates.keys()],
      },
    },
    {
      ...{ rule: 'unknown_slot', what: 'slot', where: 'slots of the manifest has' },
      ...{ pattern: `\\b(?:notify|mail)\\.send\\(.*?\\blink:\\s*['"\`]\\/(?<name>[a-z0-9_-]+)`, known: slots },
    },
    ...(texts === undefined
      ? []
      : [
          {
            ...{ rule: 'unknown_text', what: 'text', where: 'locales/ has' },
            ...{ pattern: `${textCall}${literal}`, known: texts },
          },
        ]),
  ]
  return rules.map((rule) => ({ ...rule, pattern: new RegExp(rule.pattern, 'g') }))
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}
