import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PluginManifest } from '#sandbox'
import { nearest } from '../nearest.ts'
import type { Finding } from './finding.ts'
import { withoutComments } from './without-comments.ts'

/** What a page writes down of the manifest: how it is found, and what keeps it from being there. */
interface PageRule {
  readonly rule: string
  readonly pattern: RegExp
  readonly faultOf: (groups: Readonly<Record<string, string | undefined>>) => string | undefined
}

/** Compares what the scripts of pages ask of the console with the routes, permissions, preferences and events of the manifest. */
export async function lintPageNames(directory: string, manifest: PluginManifest): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const file of (await Array.fromAsync(glob('ui/**/*.{js,mjs,html}', { cwd: directory }))).sort())
    findings.push(...lintScript(file, withoutComments(await readFile(join(directory, file), 'utf8')), manifest))
  return findings
}

function lintScript(file: string, code: string, manifest: PluginManifest): readonly Finding[] {
  const bridge = /\b(?:const|let|var)\s+(\w+)\s*=\s*await\s+connect\s*\(/.exec(code)?.[1]
  if (bridge === undefined || !code.includes('/stoa-ui.js')) return []
  const rules = rulesOf(manifest, bridge)
  return code.split('\n').flatMap((content, index) =>
    rules.flatMap(({ rule, pattern, faultOf }) =>
      [...content.matchAll(pattern)].flatMap((match): readonly Finding[] => {
        const message = faultOf(match.groups ?? {})
        return message === undefined ? [] : [{ level: 'error', rule, file, line: index + 1, message }]
      }),
    ),
  )
}

function rulesOf(manifest: PluginManifest, bridge: string): readonly PageRule[] {
  const { permissions = [], preferences = [], events } = manifest
  // What is put together is not yet the name.
  const literal = String.raw`(?<q>['"])(?<name>[^'"\`]+)\k<q>(?!\s*\+)`
  const known = (what: string, where: string, names: readonly string[]): PageRule['faultOf'] => {
    return ({ name = '' }) =>
      names.includes(name) ? undefined : `There is no ${what} ${name}. ${mend(name, where, names)}`
  }
  return [
    {
      rule: 'unknown_route',
      pattern: new RegExp(
        String.raw`\b${bridge}\.(?<method>get|post|put|patch|delete)\(\s*(?<q>['"\`])(?<path>\/[^'"\`]*)\k<q>(?<more>\s*\+)?`,
        'g',
      ),
      faultOf: ({ method = '', path = '', more }) =>
        routeFault(manifest, method.toUpperCase(), more === undefined ? path : `${path}*`),
    },
    {
      rule: 'unknown_permission',
      pattern: new RegExp(String.raw`\b${bridge}\.can\(\s*${literal}`, 'g'),
      faultOf: known(
        'permission',
        'The manifest has',
        permissions.map(({ code }) => code),
      ),
    },
    {
      rule: 'unknown_preference',
      pattern: new RegExp(String.raw`\b${bridge}\.preferences\.set\(\s*\{\s*['"]?(?<name>\w+)['"]?\s*[:,}]`, 'g'),
      faultOf: known(
        'preference',
        'The manifest has',
        preferences.map(({ key }) => key),
      ),
    },
    {
      rule: 'unknown_event',
      pattern: new RegExp(
        String.raw`===?\s*(?<q>['"])(?<name>${manifest.name.replaceAll('.', '\\.')}\.[\w.]+)\k<q>(?!\s*\+)`,
        'g',
      ),
      faultOf: known('event', 'events.publish of the manifest has', events?.publish ?? []),
    },
  ]
}

/** Why no route answers what a page asks for; a part that is put in at run time is any one. */
function routeFault(manifest: PluginManifest, method: string, path: string): string | undefined {
  const routes = [...(manifest.tenant_routes ?? []), ...(manifest.admin_routes ?? [])]
  const [asked = ''] = path.replaceAll(/\$\{[^}]*\}?/g, '*').split(/[?#]/)
  const fitting = routes.filter((route) => fits(asked, route.path))
  if (fitting.some((route) => route.method === method)) return undefined
  if (fitting.length > 0)
    return `No route answers ${method} ${asked}: the manifest has ${fitting.map((route) => route.method).join(', ')} there.`
  return `No route of the manifest answers ${method} ${asked}. ${mend(asked, 'There are', [...new Set(routes.map((route) => route.path))])}`
}

function fits(asked: string, path: string): boolean {
  const parts = asked.split('/')
  const segments = path.split('/')
  // What is put in at the end may begin a query, or be several segments.
  const isOpen = parts.at(-1)?.endsWith('*') === true
  if (parts.length > segments.length || (parts.length < segments.length && !isOpen)) return false
  return parts.every((part, index) => {
    const segment = segments[index] ?? ''
    const [begin = '', ...more] = part.split('*')
    if (segment.startsWith(':')) return part !== ''
    return more.length > 0 ? segment.startsWith(begin) : segment === part
  })
}

function mend(name: string, where: string, names: readonly string[]): string {
  const near = nearest(name, names)
  return near === undefined ? `${where} ${names.length === 0 ? 'none' : names.join(', ')}.` : `Did you mean ${near}?`
}
