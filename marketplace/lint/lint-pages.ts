import { glob, readFile, stat } from 'node:fs/promises'
import { dirname, join, posix, resolve } from 'node:path'
import { build, type Message } from 'esbuild'
import { Parser } from 'htmlparser2'
import type { Finding } from './finding.ts'
import { lintPageGlobals } from './lint-page-globals.ts'
import { lintPageMarkup, lintPageSizes, namesBridge } from './lint-page-markup.ts'

/** What the platform gives pages beside their own files. */
const sdk = '/plugin-ui/sdk/1/'
const sdkFiles = new Set(['stoa-ui.js', 'stoa-ui.css', 'guard.js'].map((name) => sdk + name))
/** The attributes by which an element loads something. */
const loading: Readonly<Record<string, string>> = {
  script: 'src',
  link: 'href',
  img: 'src',
  source: 'src',
  iframe: 'src',
}
const mostFaults = 20
/** Of one page: whoever checks a package of somebody else asks the disk no more often. */
const mostLoads = 1_000

/** Looks through the pages of a plugin for what a browser would refuse: where the console shows them, nobody sees why. */
export async function lintPages(directory: string): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const hasBridge = await namesBridge(directory)
  for (const file of (await Array.fromAsync(glob('ui/**/*.html', { cwd: directory }))).sort())
    findings.push(
      ...(await lintPage(directory, file)),
      ...(await lintPageMarkup(directory, file, hasBridge)).slice(0, mostFaults),
    )
  for (const file of (await Array.fromAsync(glob('ui/**/*.{js,mjs}', { cwd: directory }))).sort()) {
    findings.push(...(await lintScript(directory, file)))
    const used = await lintPageGlobals(file, await readFile(join(directory, file), 'utf8'))
    findings.push(...used.slice(0, mostFaults))
  }
  for (const file of (await Array.fromAsync(glob('ui/**/*.css', { cwd: directory }))).sort())
    findings.push(...(await lintStyles(directory, file)))
  return [...findings, ...(await lintPageSizes(directory)).slice(0, mostFaults)]
}

async function lintPage(directory: string, file: string): Promise<readonly Finding[]> {
  const text = await readFile(join(directory, file), 'utf8')
  const found: { readonly at: number; readonly message: string; readonly rule: string }[] = []
  const loads: { readonly at: number; readonly address: string }[] = []
  const parser: Parser = new Parser({
    onopentag(name, attributes) {
      const at = parser.startIndex
      for (const [attribute, value] of Object.entries(attributes)) {
        if (/^on[a-z]+$/.test(attribute))
          found.push({
            at,
            rule: 'page_handler',
            message: `${attribute}="…" never runs in a page: use addEventListener in a script.`,
          })
        else if (/^\s*javascript:/i.test(value))
          found.push({
            at,
            rule: 'page_handler',
            message: 'javascript: never runs in a page: use addEventListener in a script.',
          })
      }
      const address = attributes[loading[name] ?? '']
      if (address !== undefined && loads.length < mostLoads) loads.push({ at, address })
    },
  })
  parser.end(text)
  for (const { at, address } of loads) {
    const fault = await faultOf(directory, file, address)
    if (fault) found.push({ at, ...fault })
  }
  return found
    .slice(0, mostFaults)
    .map(({ at, rule, message }) => ({ level: 'error', rule, file, line: lineAt(text, at), message }))
}

/** Why an address that a page loads from leads nowhere. */
async function faultOf(directory: string, page: string, address: string) {
  if (/^(data|blob):/i.test(address) || address.startsWith('#') || sdkFiles.has(address)) return undefined
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) {
    const message = `A page loads from its own package alone: copy ${address} into ui/.`
    return { rule: 'page_foreign', message }
  }
  if (address.startsWith('/')) {
    const message = `There is no ${address} for a page: it has the files of ui/ by their relative paths, and ${[...sdkFiles].join(', ')}.`
    return { rule: 'page_missing', message }
  }
  const [path = ''] = address.split(/[?#]/)
  if (path.endsWith('.ts'))
    return { rule: 'page_typescript', message: `Browsers run no TypeScript: bundle ${path} into a .js file.` }
  const decoded = decode(path)
  if (decoded === undefined) return { rule: 'page_missing', message: `${path} is no address.` }
  const file = posix.join(posix.dirname(page), decoded)
  return (await isFile(join(directory, file))) ? undefined : { rule: 'page_missing', message: `There is no ${file}.` }
}

/** What a style sheet loads: other sheets, pictures and fonts. */
async function lintStyles(directory: string, file: string): Promise<readonly Finding[]> {
  const text = (await readFile(join(directory, file), 'utf8')).replaceAll(/\/\*[^]*?\*\//g, (comment) =>
    comment.replaceAll(/[^\n]/g, ' '),
  )
  const findings: Finding[] = []
  for (const { index, groups } of [...text.matchAll(/(?:\burl\(\s*['"]?|@import\s+['"])(?<address>[^'")\s]+)/g)].slice(
    0,
    mostLoads,
  )) {
    const fault = await faultOf(directory, file, groups?.['address'] ?? '')
    if (fault) findings.push({ level: 'error', file, line: lineAt(text, index), ...fault })
  }
  return findings.slice(0, mostFaults)
}

/** A script as a browser reads it: it parses, and what it imports is there. */
async function lintScript(directory: string, file: string): Promise<readonly Finding[]> {
  const result = await build({
    absWorkingDir: resolve(directory),
    entryPoints: [file],
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', logLevel: 'silent', target: 'esnext' },
    plugins: [
      {
        name: 'as a browser',
        setup(bundler) {
          bundler.onResolve({ filter: /.*/ }, async ({ kind, path, importer }) => {
            if (kind === 'entry-point') return undefined
            // Files for every surrounding ask Node with `require` where there is one, which no page has.
            if (sdkFiles.has(path) || kind.startsWith('require')) return { external: true }
            const text = await importFault(path, dirname(importer))
            // Each file of ui/ is looked at by itself.
            return text === undefined ? { external: true } : { errors: [{ text }] }
          })
        },
      },
    ],
  }).catch((error: unknown) => error as { readonly errors?: readonly Message[] })
  return (result.errors ?? []).slice(0, mostFaults).map(({ text, location }) => ({
    level: 'error',
    rule: 'page_script',
    file,
    line: location?.line ?? 1,
    message: `${text}.`,
  }))
}

async function importFault(path: string, from: string): Promise<string | undefined> {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return `A page loads from its own package alone: copy ${path} into ui/`
  if (path.startsWith('@stoa/plugin-sdk')) return `A page has the bridge at ${sdk}stoa-ui.js: import it from there`
  if (!/^\.{0,2}\//.test(path))
    return `A browser finds no ${path} by its name: bundle it into a file of ui/ and import that`
  if (path.startsWith('/')) return `There is no ${path} for a page: ui/ is reached by relative paths`
  return (await isFile(join(from, path))) ? undefined : `There is no ${path}: browsers ask for the whole name, with .js`
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
