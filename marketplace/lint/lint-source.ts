import { sourceSigns, type Capability, type PluginManifest } from '#sandbox'
import type { Finding } from './finding.ts'
import { unguardedGlobals } from './unguarded-globals.ts'
import { withoutComments } from './without-comments.ts'

/** A source file of a plugin. */
interface SourceText {
  readonly file: string
  readonly text: string
}

interface Rule {
  readonly rule: string
  readonly level: Finding['level']
  readonly pattern: RegExp
  readonly message: string
  /** Finds the lines of it by what a source means, where its text alone may look so. */
  readonly linesOf?: LinesOf
}
type LinesOf = (file: string, text: string) => Promise<{ has(line: number): boolean }>

const ofNode = 'There is nothing of Node in the sandbox: use ctx, or bundle a module that needs none of it.'

/** A source may give their names to something of its own, or ask for them first. */
const ofGlobals = { linesOf: unguardedGlobals } as const
/** Only then: the compiler is large. */
const ofHeaders: LinesOf = async (file, text) => (await import('./cookie-lines.ts')).cookieLines(file, text)

const rules: readonly Rule[] = [
  {
    rule: 'eval',
    level: 'warning',
    pattern: /(?<![.\w])(?:eval\s*\(|new\s+Function\s*\(|Function\s*\()/,
    message: 'Code made of texts cannot be reviewed: write it down, or look values up in a table.',
  },
  {
    ...{ rule: 'answer_header', level: 'error', linesOf: ofHeaders },
    pattern: /(?<q>['"])set-cookie\k<q>(?:\]?\s*:|\]\s*(?:\?\?|\|\||&&|\+)?=(?![=>]))/i,
    message:
      'No answer of a plugin sets a cookie, and one that tries is refused: its headers are content-type, cache-control, content-disposition and location. Keep it with ctx.preferences, ctx.cache or a row.',
  },
  {
    rule: 'node',
    level: 'error',
    pattern: /(?<![.\w])require\s*\(\s*['"]|from\s+['"]node:/,
    message: ofNode,
  },
  {
    ...{ rule: 'node', level: 'error', ...ofGlobals },
    pattern: /(?<![.\w])(?:process\.|Buffer\.|__dirname)/,
    message: ofNode,
  },
  {
    ...{ rule: 'web', level: 'error', ...ofGlobals },
    pattern:
      /(?<![.\w])(?:new\s+(?:XMLHttpRequest|Blob|File|FormData|FileReader|ReadableStream|WritableStream|TransformStream|WebSocket|Worker|BroadcastChannel|MessageChannel|CompressionStream)\b|(?:setImmediate|requestAnimationFrame|importScripts|alert)\s*\(|(?:document|window|localStorage|sessionStorage|indexedDB|navigator)\.\w)/,
    message:
      'The sandbox has no such thing of the web: it has URL, TextEncoder, crypto, fetch, timers and what the README lists; use ctx for the rest.',
  },
]

const urlText = /\burl:\s*(?<value>[^,}\n]+)/

/** Looks through the sources of a plugin for what does not work in the sandbox, and compares what they use with what the manifest asks for. */
export async function lintSource(
  sources: readonly SourceText[],
  manifest: PluginManifest,
): Promise<readonly Finding[]> {
  const asked = new Set<Capability>([...manifest.capabilities, ...(manifest.optionalCapabilities ?? [])])
  const findings: Finding[] = []
  for (const { file, text } of sources) {
    const found = lintFile(file, withoutComments(text), asked, manifest)
    findings.push(...(await confirm(file, text, found)).map(told))
  }
  const code = sources.map(({ text }) => withoutComments(text)).join('\n')
  for (const capability of asked) {
    const used = sourceSigns.get(capability)?.used
    if (!used || used.test(code)) continue
    findings.push({
      ...{ level: 'warning', rule: 'unused_capability', file: 'manifest.json', line: 1 },
      message: `${capability} is asked for and no source uses it: take it out of the capabilities.`,
    })
  }
  return findings
}

/** What a text looks like. */
type FoundByText = Finding & Pick<Rule, 'linesOf'>

function told({ level, rule, file, line, message }: FoundByText): Finding {
  return { level, rule, file, line, message }
}

/** Leaves out what only looks so. What cannot be read is not known better. */
async function confirm(file: string, text: string, found: readonly FoundByText[]): Promise<readonly FoundByText[]> {
  const asked = new Set(found.flatMap(({ linesOf }) => linesOf ?? []))
  const read = async (linesOf: LinesOf) => [linesOf, await linesOf(file, text).catch(() => undefined)] as const
  const lines = new Map(await Promise.all([...asked].map(read)))
  return found.filter(({ linesOf, line }) => (linesOf && lines.get(linesOf)?.has(line)) ?? true)
}

function lintFile(
  file: string,
  text: string,
  asked: ReadonlySet<Capability>,
  { http }: PluginManifest,
): readonly FoundByText[] {
  const findings: FoundByText[] = []
  for (const [index, content] of text.split('\n').entries()) {
    const at = { file, line: index + 1 }
    for (const { pattern, ...rule } of rules) if (pattern.test(content)) findings.push({ ...rule, ...at })
    for (const [capability, { called }] of sourceSigns) {
      if (!called || asked.has(capability) || !called.test(content)) continue
      const message = `${capability} is used and not asked for: add it to capabilities, with a reason.`
      findings.push({ level: 'error', rule: 'undeclared_capability', ...at, message })
    }
    const finding = lintUrl(content, http?.hosts ?? [])
    if (finding) findings.push({ ...finding, ...at })
  }
  return findings
}

function lintUrl(
  line: string,
  hosts: readonly { readonly host: string; readonly ports?: readonly number[] }[],
): Pick<Finding, 'level' | 'rule' | 'message'> | undefined {
  const value = urlText.exec(line)?.groups?.['value']?.trim() ?? ''
  const address = /^['"`](?<scheme>https?):\/\/(?<host>[^/'"`$:?]+)(?::(?<port>\d+))?/.exec(value)?.groups
  const literal = address?.['host']
  if (literal === undefined) {
    if (!/^[`'"]https?:\/\/\$\{|^[`'"]\$\{/.test(value)) return undefined
    const message = 'The host is put together at run time: an administrator cannot tell where it leads. Write it down.'
    return { level: 'warning', rule: 'host_not_literal', message }
  }
  const listed = hosts.filter(
    ({ host }) => host === literal || (host.startsWith('*.') && literal.endsWith(host.slice(1))),
  )
  if (hosts.some(({ host }) => host === '*')) return undefined
  const port = Number(address?.['port'] ?? (address?.['scheme'] === 'http' ? 80 : 443))
  if (listed.some(({ ports = [443] }) => ports.includes(port))) return undefined
  if (listed.length > 0) {
    const message = `${literal} is not listed with the port ${port}: add it to the ports of this host in http.hosts${port === 80 ? ', or write https' : ''}.`
    return { level: 'error', rule: 'host_not_listed', message }
  }
  return { level: 'error', rule: 'host_not_listed', message: `${literal} is not among http.hosts of the manifest.` }
}
