import { deepEqual, equal, ok } from 'node:assert/strict'
import { renderMarkdown } from '#marketplace'
import { readmeAttacks } from './readme-attacks.ts'

const files = '/plugins/marketplace/acme.clock/files/'
const tagForm = /<\/?([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)(?: \/)?>/g
const harmless = /^(h[1-6]|p|br|hr|blockquote|pre|code|ul|ol|li|strong|em|b|i|del|s|su[bp]|kbd|details|summary|d[ltd])$/
const attributeForms: Readonly<Record<string, RegExp>> = {
  a: /^( href="(https?:\/\/|mailto:)[^"]*"| title="[^"]*"| rel="noopener nofollow")*$/,
  img: /^( src="\/plugins\/marketplace\/acme\.clock\/files\/[A-Za-z0-9._@/-]+"| (alt|title)="[^"]*"| (width|height)="[0-9]+")*$/,
  ol: /^( start="[0-9]+")?$/,
  th: /^( align="(left|center|right)")?$/,
  td: /^( align="(left|center|right)")?$/,
}
const bare = ['span', 'table', 'thead', 'tbody', 'tr']

/** What a page must not hold: anything that is no text and no tag that may stand there. */
function findFault(html: string): string | undefined {
  for (const [whole, tag = '', attributes = ''] of html.matchAll(tagForm)) {
    const allowed = attributeForms[tag]
    if (!allowed && !harmless.test(tag) && !bare.includes(tag)) return whole
    if (!(allowed ?? /^$/).test(attributes) || attributes.includes('..')) return whole
  }
  return /<.{0,40}/s.exec(html.replaceAll(tagForm, ''))?.[0]
}

describe('a README', () => {
  it('is rendered: headings, lists, tables, code, links, and images of the same index', async () => {
    const text = [
      '# Clock',
      'Shows *the* time. [Home](https://a.example/x?y&z "t") ![one](./screenshots/one.png)',
      '|a|b|\n|:-:|-:|\n|1|2|',
      '```js\nif (a < b) <x>\n```',
      '3. three',
    ].join('\n\n')
    deepEqual((await renderMarkdown(text, { files: files })).split('\n').filter(Boolean), [
      '<h1>Clock</h1>',
      `<p>Shows <em>the</em> time. <a href="https://a.example/x?y&amp;z" title="t" rel="noopener nofollow">Home</a> <img src="${files}screenshots/one.png" alt="one" /></p>`,
      '<table>',
      '<thead>',
      '<tr>',
      '<th align="center">a</th>',
      '<th align="right">b</th>',
      '</tr>',
      '</thead>',
      '<tbody>',
      '<tr>',
      '<td align="center">1</td>',
      '<td align="right">2</td>',
      '</tr>',
      '</tbody>',
      '</table>',
      '<pre><code>if (a &lt; b) &lt;x&gt;',
      '</code></pre>',
      '<ol start="3">',
      '<li>three</li>',
      '</ol>',
    ])
  })

  it('shows the text of pictures from elsewhere, and asks nobody for them', async () => {
    equal(
      await renderMarkdown('[![build](https://a.example/b.svg)](https://a.example/ci)', { files: files }),
      '<p><a href="https://a.example/ci" rel="noopener nofollow"><span>build</span></a></p>\n',
    )
  })

  it('holds nothing that acts, whatever was tried', async () => {
    const faults = await Promise.all(
      readmeAttacks.map(async (attack) => findFault(await renderMarkdown(attack, { files: files }))),
    )
    deepEqual(
      readmeAttacks.filter((_attack, at) => faults[at] !== undefined),
      [],
    )
  })

  it('holds nothing that acts where all attempts stand in one text', async () => {
    for (const text of [
      readmeAttacks.join('\n\n'),
      readmeAttacks.join(''),
      readmeAttacks.map((a) => `> ${a}`).join('\n'),
    ])
      equal(findFault(await renderMarkdown(text, { files: files })), undefined)
  })

  it('is shown as it was written where it is made to take long', async () => {
    const began = performance.now()
    const longest = 'a**b'.repeat(40_000) + '\n\n' + '> '.repeat(20_000)
    const [html] = await Promise.all([renderMarkdown(longest), renderMarkdown('# short')])
    ok(performance.now() - began < 12_000)
    equal(findFault(html ?? ''), undefined)
  })

  it('is shown as it was written, and acts no more, where it takes too long', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = () => AbortSignal.abort()
    try {
      const acting = '<img src=x onerror="a(1)"> & <script>b</script>'
      const html = await renderMarkdown(acting + 'x'.repeat(20_000))
      const shown = '<pre>&lt;img src=x onerror=&quot;a(1)&quot;&gt; &amp; &lt;script&gt;b&lt;/script&gt;'
      equal(html, `${shown}${'x'.repeat(20_000)}</pre>`)
    } finally {
      AbortSignal.timeout = timeout
    }
  })

  it('is rendered up to 256 KB', async () => {
    const html = await renderMarkdown(`${'word '.repeat(52_428)}ends beyond it`)
    deepEqual([html.length, html.slice(-14)], [262_144 + '<p></p>\n'.length, 'word ends</p>\n'])
  })
})
