import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import vm from 'node:vm'
import { lookInto, withInserts } from '../../sandbox/pages/page-inserts.ts'
import { scriptFence } from '../../sandbox/pages/script-fence.ts'

const shown = async (file: string, content: string) => {
  const bytes = Buffer.from(content)
  return Buffer.concat(await Array.fromAsync(withInserts([bytes], lookInto(file, bytes).inserts))).toString()
}
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const strictFence = `"use strict";${scriptFence}`

describe('what stands before each script of a plugin’s page', () => {
  it('is there in files and in pages, on the first line, and leaves the rest as it was signed', async () => {
    assert.equal(await shown('ui/a.js', 'run()\n'), `${scriptFence}run()\n`)
    assert.equal(await shown('ui/a.mjs', ''), scriptFence)
    for (const file of ['ui/a.css', 'ui/a.svg', 'ui/a.json', 'ui/a']) assert.equal(await shown(file, 'run()'), 'run()')
    const page = '<p>Ä</p><SCRIPT type="module">a()</SCRIPT><script src="b.js"></script><script defer>Ö()</script>'
    const fenced = page.replace('a()', `${scriptFence}a()`).replace('Ö()', `${scriptFence}Ö()`)
    assert.equal(await shown('ui/page.html', page), fenced)
    assert.deepEqual(lookInto('ui/page.html', Buffer.from(page)).hashes, {
      fenced: [hash(`${scriptFence}a()`), hash(`${scriptFence}Ö()`)],
      signed: [hash('a()'), hash('Ö()')],
    })
  })

  it('is there in pieces of whatever size', async () => {
    const page = Buffer.from('<script>1</script>é<script>2</script>')
    const { inserts } = lookInto('ui/page.html', page)
    const whole = await shown('ui/page.html', page.toString())
    for (let size = 1; size <= page.length; size += 1) {
      const starts = Array.from({ length: Math.ceil(page.length / size) }, (_, at) => at * size)
      const pieces: AsyncIterable<Buffer> = Readable.from(starts.map((start) => page.subarray(start, start + size)))
      const parts = await Array.fromAsync(withInserts(pieces, inserts))
      assert.equal(Buffer.concat(parts).toString(), whole, `pieces of ${size}`)
    }
  })

  it('keeps a script strict that says so, after whatever comments', async () => {
    for (const said of ["'use strict'", '"use strict";x', '/*! a */ // b\n /* c */\n"use strict"'])
      assert.equal(await shown('ui/a.js', said), strictFence + said)
    for (const said of [
      'x;"use strict"',
      '/* "use strict" */',
      `/*${'x'.repeat(5_000)}`,
      '// "use strict"',
      '/* a */ x() /* b */ "use strict"',
    ])
      assert.equal(await shown('ui/a.js', said), scriptFence + said)
    assert.equal(
      await shown('ui/a.html', '<script>"use strict"</script>'),
      `<script>${strictFence}"use strict"</script>`,
    )
  })

  it('is missing where there is data, which no policy lets run as anything else', () => {
    const data = ['{"imports":{}}', '[1]', 'run()']
    const page = data.map((text) => `<script type=application/json>${text}</script>`).join('')
    assert.deepEqual(lookInto('ui/page.html', Buffer.from(page)), {
      inserts: [],
      hashes: { fenced: data.slice(0, 2).map(hash), signed: data.map(hash) },
    })
    for (const type of [
      'Module',
      ' text/javascript ',
      'application/x-javascript',
      'text/javascript1.5',
      'text/jscript',
    ])
      assert.deepEqual(lookInto('ui/page.html', Buffer.from(`<script type="${type}">run()</script>`)).hashes.fenced, [
        hash(`${scriptFence}run()`),
      ])
  })

  it('takes what it names away, and ends whoever has a window of their own', () => {
    const context = () => {
      const global = vm.createContext({ RTCPeerConnection: 1, WebTransport: 1, other: 1 })
      vm.runInContext('globalThis[Symbol.toStringTag] = "Window"; globalThis.window = globalThis', global)
      return global
    }
    const left = (script: string) => vm.runInContext(script, context()) as unknown
    assert.equal(
      left(`${scriptFence}[typeof RTCPeerConnection, typeof WebTransport, typeof other].join()`),
      'undefined,undefined,number',
    )
    assert.equal(left(`${strictFence}typeof RTCPeerConnection`), 'undefined')
    for (const own of ['function window() {}', 'var window = 1', 'let window', 'class window {}'])
      assert.throws(() => left(`(() => { ${scriptFence} ${own} })()`), own)
  })
})
