import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { shownPage, shownText } from '../../sandbox/pages/shown-page.ts'
import { scriptHashes } from '../../sandbox/pages/content-policy.ts'

const page = '<p>Ä</p><template shadowRootMode="closed">x</template><script>shadowrootmode + this.shadowRoot</script>'
const shown = '<p>Ä</p><template shadowrootm0de="closed">x</template><script>shadowrootm0de + this.shadowRoot</script>'

describe('a page as browsers get it', () => {
  it('makes no shadow root of its text, in pieces of whatever size, and is as long as it was signed', async () => {
    const bytes = Buffer.from(page)
    for (let size = 1; size <= bytes.length; size += 1) {
      const parts = await Array.fromAsync(shownPage(pieces(bytes, size)))
      assert.equal(Buffer.concat(parts).toString(), shown, `pieces of ${size}`)
    }
    assert.equal(shown.length, page.length)
    assert.equal(shownText(shown), shown)
  })

  it('names its inline scripts as it has them', () => {
    const hash = createHash('sha256').update('shadowrootm0de + this.shadowRoot').digest('base64')
    assert.deepEqual(scriptHashes(page), [`'sha256-${hash}'`])
  })
})

function pieces(bytes: Buffer, size: number): AsyncIterable<Buffer> {
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => at * size)
  return Readable.from(starts.map((start) => bytes.subarray(start, start + size)))
}
