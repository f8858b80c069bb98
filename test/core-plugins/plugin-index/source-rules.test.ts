import assert from 'node:assert/strict'
import type { SecretBox } from '#kernel'
import { readSourceUrl } from '../../../core-plugins/plugin-index/sources/source-address.ts'
import { maskHeaders } from '../../../core-plugins/plugin-index/sources/source-headers.ts'
import {
  changeSource,
  usualSource,
  type SourceChange,
} from '../../../core-plugins/plugin-index/sources/source-rules.ts'

const secrets = {
  seal: (text: string) => `sealed ${text}`,
  open: (text: string) => text.replace(/^sealed /, ''),
} as SecretBox
const headers = 'sealed {"authorization":"secret"}'
const mask = '********'

describe('what an index source may become', () => {
  /** The headers that it would send where, or the rule and the field that it breaks. */
  function change(asked: SourceChange, url = 'https://index.test/i/', before = {}) {
    try {
      const columns = changeSource({ ...usualSource, headers, url, ...before }, asked, secrets)
      return [columns.url, columns.headers]
    } catch (error) {
      const [fault] = (error as { readonly errors?: readonly { field: string; rule: string }[] }).errors ?? []
      return [fault?.field, fault?.rule]
    }
  }

  it('keeps its secrets on the server that they were given for', () => {
    assert.deepEqual(change({ url: 'https://index.test/other' }), ['https://index.test/other/', headers])
    const others = ['https://evil.test/i/', 'http://index.test/i/', 'https://index.test:8443/i/', 'file:///srv/index/']
    for (const url of others) {
      assert.deepEqual(change({ url }), ['headers', 'required'], url)
      const masked = { url, headers: { Authorization: mask } }
      assert.deepEqual(change(masked), ['headers.Authorization', 'required'], url)
      assert.deepEqual(change({ url, headers: null }), [url, null], url)
    }
    const kept = change({ headers: { Authorization: mask, 'X-A': 'b' } })
    assert.deepEqual(kept, ['https://index.test/i/', 'sealed {"authorization":"secret","x-a":"b"}'])
    assert.deepEqual(change({ headers: { 'x-other': mask } }), ['headers.x-other', 'required'])
  })

  it('shows no value of a header', () => {
    assert.deepEqual(maskHeaders({ authorization: 'secret' }), { authorization: mask })
  })

  it('says nothing that the client itself says', () => {
    for (const name of ['Host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'accept-encoding'])
      assert.deepEqual(change({ headers: { [name]: 'x' } }), [`headers.${name}`, 'reserved'])
  })

  it('is asked for no more trust than it is given, and has no root where nobody signs', () => {
    assert.deepEqual(change({ minTrust: 'verified', maxTrust: 'community' }), ['min_trust', 'range'])
    assert.deepEqual(change({ unsigned: true, rootFingerprint: 'a' }), ['root_fingerprint', 'conflict'])
    assert.deepEqual(change({ unsigned: true }, undefined, { rootFingerprint: 'a' }), ['root_fingerprint', 'conflict'])
  })

  it('lies in a folder of a server or of this host, and its address holds no secret', () => {
    const refused = ['ftp://index.test/', 'nothing', 'https://user@index.test/', 'https://:secret@index.test/']
    refused.push('https://index.test/?token=x', 'https://index.test/#x', 'file://elsewhere/srv/')
    assert.deepEqual(
      refused.filter((url) => URL.canParse(url) && change({ url })[0] !== 'url'),
      [],
    )
    assert.equal(readSourceUrl(' https://index.test/i ').href, 'https://index.test/i/')
  })
})
