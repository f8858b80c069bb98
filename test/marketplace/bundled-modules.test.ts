import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inspectPlugin } from '../../marketplace/inspect/inspect-plugin.ts'
import { findUses } from '../../marketplace/lint/find-uses.ts'
import { loadPlugin } from '../../marketplace/testing.ts'
import { stoa } from './run-stoa.ts'
import { makeScratch, sampleManifest } from './sample-package.ts'

describe('modules of npm in a bundle', () => {
  let scratch: Awaited<ReturnType<typeof makeScratch>>
  beforeEach(async () => (scratch = await makeScratch()))
  afterEach(() => scratch[Symbol.asyncDispose]())

  /** A plugin whose handler `run` is this expression, beside packages made of these files. */
  async function plugin(line: string, files: Readonly<Record<string, string>>): Promise<string> {
    const all = {
      'manifest.json': JSON.stringify(sampleManifest()),
      'src/index.js': `import module from 'module'\nexport default { handlers: { run: async () => ${line} } }\n`,
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`node_modules/${name}`, text])),
    }
    for (const [name, text] of Object.entries(all)) {
      await mkdir(dirname(join(scratch.path, name)), { recursive: true })
      await writeFile(join(scratch.path, name), text)
    }
    return scratch.path
  }

  it('are those for browsers, also where single files stand for others', async () => {
    const browser = { './node.js': './web.js', fs: false, inner: './inner.js' }
    const folder = await plugin('module', {
      'module/package.json': JSON.stringify({ main: './index.js', browser }),
      'module/index.js': `module.exports = [require('./node.js'), Object.keys(require('fs')), require('inner')]`,
      'module/node.js': `module.exports = require('os').arch()`,
      'module/web.js': `module.exports = 'web'`,
      'module/inner.js': `module.exports = 'inner'`,
    })
    await using loaded = await loadPlugin(folder)
    deepEqual((await loaded.call('run')).data, ['web', [], 'inner'])
  })

  it('are made for production, and know the global object by its older name', async () => {
    const folder = await plugin('module', {
      'module/package.json': '{}',
      'module/index.js': `module.exports = [process.env.NODE_ENV, global === globalThis, typeof process]`,
    })
    await using loaded = await loadPlugin(folder)
    deepEqual((await loaded.call('run')).data, ['production', true, 'undefined'])
  })

  it('that need Node are told by the name of the one that something else stands for', async () => {
    const folder = await plugin('module', {
      'module/package.json': '{}',
      'module/index.js': `require('jsonwebtoken')`,
      'jsonwebtoken/package.json': '{}',
      'jsonwebtoken/index.js': `require('below')\nrequire('crypto')`,
      'below/package.json': '{}',
      'below/index.js': `require('fs')`,
    })
    const { findings } = await inspectPlugin(folder, { isLoaded: false })
    deepEqual(
      findings.map(({ message }) => /The package ".*/.exec(message)?.[0]),
      [
        'The package "jsonwebtoken" needs "crypto" of Node, which the sandbox does not have: the sandbox has crypto.subtle, crypto.getRandomValues and ctx.crypto. Use jose, or crypto.subtle instead.',
      ],
    )
  })

  it('are told with the line that uses what is not there, and what to do', async () => {
    const folder = await plugin('module.isUsed("a")', {
      'module/package.json': '{}',
      'module/index.js': `const part = require('@scope/part')\nexports.isUsed = (text) => part.toBytes(text)\n`,
      '@scope/part/package.json': '{}',
      '@scope/part/index.js': [
        'exports.toBytes = function (text) {',
        '  if (!text) return Buffer.alloc(0)',
        '  return Buffer.from(text)',
        '}',
        `exports.isBytes = (value) => typeof Buffer !== 'undefined' && value instanceof Buffer`,
      ].join('\n'),
    })
    const { findings } = await inspectPlugin(folder, { isLoaded: false })
    deepEqual(findings, [
      {
        ...{ level: 'warning', rule: 'absent_global', file: 'node_modules/@scope/part/index.js', line: 2 },
        message:
          'The package "@scope/part" uses Buffer, which the sandbox does not have: bytes are Uint8Array; the package "buffer" has a Buffer: import { Buffer } from \'buffer/\'. What comes to this line fails. There is 1 more place.',
      },
    ])
    const { stdout, exitCode } = await stoa(folder, 'pack', '.', '--out', 'a.zip')
    equal(exitCode, 0, stdout)
    match(stdout, /^node_modules\/@scope\/part\/index\.js:2 warning absent_global: /m)
  })

  it('that do not load are told once, with the line, what is not there and what to do', async () => {
    const folder = await plugin('module', {
      'module/package.json': '{ "main": "index.mjs" }',
      'module/index.mjs': `export default 1\nnew XMLHttpRequest()\n`,
    })
    const { findings } = await inspectPlugin(folder, { isLoaded: true })
    equal(findings.length, 1, JSON.stringify(findings))
    const [found] = findings
    deepEqual([found?.level, found?.file, found?.line], ['error', 'node_modules/module/index.mjs', 2])
    match(
      found?.message ?? '',
      /XMLHttpRequest is not defined\. The package "module" uses XMLHttpRequest, .*: use fetch/,
    )
  })
})

const absent = ['Buffer', 'File', 'alert', 'document', 'process', 'window']
const marks = Object.fromEntries(absent.map((name) => [name, `$${name}`]))

describe('what code uses of globals that are not there', () => {
  /** A function of a file that begins with `setting`. */
  function uses(body: string, setting = ''): readonly string[] {
    return findUses(`${setting}\nfunction run(value) { ${body} }`, marks).map(({ name, line }) => `${name}:${line}`)
  }

  it('is found where it is used', () => {
    deepEqual(uses('return $Buffer.from(value)'), ['Buffer:2'])
    deepEqual(uses('return value instanceof $File'), ['File:2'])
    deepEqual(uses('if (value) { $document.title = value } else $alert(value)'), ['document:2', 'alert:2'])
    deepEqual(uses('try { return () => $process.cwd() } catch {}'), ['process:2'])
    deepEqual(uses('try { value() } finally { $process.exit() }'), ['process:2'])
    deepEqual(uses('if (typeof $window === "undefined") return $process.cwd()'), ['process:2'])
    deepEqual(uses('return typeof $window === "undefined" || value ? $process : 1'), ['process:2'])
  })

  it('is none where it is asked for first, or caught', () => {
    for (const body of [
      'return typeof $Buffer',
      'return typeof $Buffer !== "undefined" && $Buffer.isBuffer(value)',
      'return value && "undefined" != typeof $Buffer && $Buffer.isBuffer(value)',
      'return typeof $Buffer === "undefined" || $Buffer.isBuffer(value)',
      'return typeof $Buffer === "function" ? $Buffer.from(value) : value',
      'return "undefined" != typeof self ? self : $window',
      'return typeof atob === "function" ? atob(value) : $Buffer.from(value)',
      'return globalThis.Buffer ? $Buffer.from(value) : value',
      'return (library.File && value instanceof $File) || value',
      'if (library.Buffer) return $Buffer.from(value)',
      'if (typeof $window !== "undefined") { $document.title = value }',
      'if (!(typeof $window !== "undefined")) { return value } else { $document.title = value }',
      'if (typeof $window === "undefined") return value; $document.title = value',
      'if (typeof $window === "undefined") { value = 1; throw value } return $document.title',
      'try { return $process.cwd() } catch { return value }',
    ])
      deepEqual(uses(body), [], body)
  })

  it('is none where a name or a function stands for the question', () => {
    const settings = [
      'var isThere = typeof $window !== "undefined"',
      'const isThere = !!(typeof $window == "object" && $window.document)',
      'let isThere; isThere = typeof $window !== "undefined" && typeof $document !== "undefined"',
      'var one = typeof $window !== "undefined"; var isThere = one && !one.none',
    ]
    for (const setting of settings) deepEqual(uses('if (isThere) $document.title = value', setting), [], setting)
    for (const setting of [
      'function isThere() { return typeof $window !== "undefined" }',
      'const isThere = () => typeof $window !== "undefined"',
    ])
      deepEqual(uses('return isThere() ? $document.title : value', setting), [], setting)
  })

  it('is one where the name may stand for something else', () => {
    for (const setting of [
      'var isThere = typeof $window !== "undefined"; isThere = true',
      'var isThere = typeof $window !== "undefined"; function other(isThere) {}',
      'var isThere = typeof $window !== "undefined"; isThere ||= other()',
    ])
      deepEqual(uses('if (isThere) $document.title = value', setting), ['document:2'], setting)
  })

  it('is found soon, however names lead to each other', () => {
    const names = Array.from({ length: 40 }, (_, index) => index)
    const chain = names.map((index) => `var is${index + 1} = is${index} || is${index}`).join('; ')
    const circle = names.map((index) => `var no${index} = no${(index + 1) % 40} || no${(index + 7) % 40}`).join('; ')
    const setting = `var is0 = typeof $window !== "undefined"; ${chain}; ${circle}`
    deepEqual(uses('if (is40) $document.title = value; if (no1) $alert(value)', setting), ['alert:2'])
  })
})
