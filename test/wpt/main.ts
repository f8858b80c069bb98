import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { tryFile, type FileTrial } from './try-file.ts'

// Runs files of web-platform-tests in a sandbox, each in a plugin of its own, and writes down the share that passes.
const { values } = parseArgs({
  options: { from: { type: 'string' }, only: { type: 'string' }, verbose: { type: 'boolean', default: false } },
})
const { from: root, only, verbose } = values
if (root === undefined) throw new Error('Say where web-platform-tests lie: --from <folder>')

/** What a sandbox has of the web, and the files that are about it. */
const areas: Readonly<Record<string, readonly string[]>> = {
  'URL, URLSearchParams': ['url/*.any.js'],
  'TextEncoder, TextDecoder': [
    'encoding/{api-*,encodeInto,textdecoder-[abcesu]*,textdecoder-fatal,textdecoder-fatal-streaming,textdecoder-ignorebom,textencoder-utf16-surrogates}.any.js',
  ],
  'encodings that a sandbox does not have': [
    'encoding/{iso-2022-jp-decoder,replacement-encodings,textdecoder-fatal-single-byte,textdecoder-labels,textencoder-constructor-non-utf,unsupported-encodings}.any.js',
  ],
  'atob, btoa': ['html/webappapis/atob/*.any.js'],
  structuredClone: ['html/webappapis/structured-clone/*.any.js'],
  'setTimeout, queueMicrotask': ['html/webappapis/timers/*.any.js', 'html/webappapis/microtask-queuing/*.any.js'],
  'AbortController, AbortSignal': ['dom/abort/*.any.js'],
  'Event, EventTarget': ['dom/events/*.any.js'],
  'crypto: random values': ['WebCryptoAPI/getRandomValues.any.js', 'WebCryptoAPI/randomUUID.https.any.js'],
  'crypto.subtle: digest': ['WebCryptoAPI/digest/*.any.js'],
  'crypto.subtle: HMAC, Ed25519': [
    'WebCryptoAPI/sign_verify/{hmac,eddsa}.https.any.js',
    'WebCryptoAPI/generateKey/{successes,failures}_{HMAC,Ed25519}.https.any.js',
    'WebCryptoAPI/import_export/okp_importKey_failures_Ed25519.https.any.js',
  ],
}
/** Of the definitions of interfaces, and for what a browser alone has. */
const leftOut = /idlharness|historical/

const scratch = await mkdtemp(path.join(tmpdir(), 'stoa-wpt-'))
const rows: (readonly [string, number, number, number])[] = []
try {
  for (const [area, patterns] of Object.entries(areas)) {
    if (only !== undefined && !area.includes(only)) continue
    const found = (await Array.fromAsync(glob([...patterns], { cwd: root })))
      .filter((file) => !leftOut.test(file))
      .sort()
    const trials: FileTrial[] = []
    for (const file of found) {
      const trial = await tryFile(root, file, scratch)
      trials.push(trial)
      console.log(`${trial.total - trial.failures.length}/${trial.total} ${file}`)
      if (verbose) for (const failure of trial.failures.slice(0, 12)) console.log(`    ${failure.split('\n')[0] ?? ''}`)
    }
    const total = trials.reduce((sum, trial) => sum + trial.total, 0)
    const failed = trials.reduce((sum, { failures }) => sum + failures.length, 0)
    rows.push([area, found.length, total - failed, total])
  }
} finally {
  await rm(scratch, { recursive: true, force: true })
}
const table = describe()
console.log(table)
if (only === undefined) await writeTable(path.join(import.meta.dirname, 'README.md'))
process.exit()

function describe(): string {
  const share = (passed: number, total: number) => (total === 0 ? '' : `${((100 * passed) / total).toFixed(1)} %`)
  const sum = (at: 1 | 2 | 3) => rows.reduce((all, row) => all + row[at], 0)
  const cells = [
    ['of the web', 'files', 'tests', 'pass', 'share'],
    ...rows.map(([area, files, passed, total]) => [
      area,
      String(files),
      String(total),
      String(passed),
      share(passed, total),
    ]),
    ['all', String(sum(1)), String(sum(3)), String(sum(2)), share(sum(2), sum(3))],
  ]
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...others] = cells
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others.map(line)].join('\n')
}

async function writeTable(file: string): Promise<void> {
  const [begin, end] = ['<!-- the table begins: npm run wpt writes it -->', '<!-- the table ends -->']
  const text = await readFile(file, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${file} does not have both marks`)
  await writeFile(file, `${before}${begin}\n\n${table}\n\n${end}${after}`)
}
