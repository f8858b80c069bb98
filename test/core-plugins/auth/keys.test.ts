import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, randomBytes, sign as signWith, type KeyObject } from 'node:crypto'
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { issueSession, readToken, signToken } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform } from '../../support/identity.ts'

interface TestKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly text: string
}

function makeKey(form: 'bytes' | 'pkcs8'): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey, text: (form === 'bytes' ? der.subarray(-32) : der).toString('base64url') }
}

function sign(header: object, claims: object, key: KeyObject): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${signWith(null, Buffer.from(text), key).toString('base64url')}`
}

describe('access tokens that others verify', () => {
  const [current, old, foreign] = [makeKey('bytes'), makeKey('pkcs8'), makeKey('bytes')]
  const env = { JWT_ALG: 'EdDSA', JWT_KEYS: `k2:${current.text},k1:${old.text}`, PUBLIC_URL: 'https://stoa.test' }
  let platform: TestPlatform
  before(async () => {
    platform = await startTestPlatform({ env })
  })
  after(() => platform[Symbol.asyncDispose]())

  const me = async (token: string) => (await platform.test.api.as(token).get('/auth/me')).body['code']
  const issue = async () => (await issueSession(platform, 0, platform.adminId)).access
  const keySet = async () => platform.test.api.get('/.well-known/jwks.json')

  it('are good under the published keys, which tell nothing secret', async () => {
    const { status, headers, body } = await keySet()
    const set = body as unknown as JSONWebKeySet
    const options = { issuer: 'https://stoa.test', audience: 'api', typ: 'at+jwt', algorithms: ['EdDSA'] }
    const { payload, protectedHeader } = await jwtVerify(await issue(), createLocalJWKSet(set), options)
    assert.deepEqual(
      [status, headers['cache-control'], protectedHeader, payload.sub, set.keys],
      [
        200,
        'public, max-age=300',
        { alg: 'EdDSA', typ: 'at+jwt', kid: 'k2' },
        String(platform.adminId),
        [
          { ...current.publicKey.export({ format: 'jwk' }), kid: 'k2', use: 'sig', alg: 'EdDSA' },
          { ...old.publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'EdDSA' },
        ],
      ],
    )
  })

  it('are good under an older key of the ring and under nothing that is not in it', async () => {
    const [header, claims] = readToken(await issue())
    const jwk = current.publicKey.export({ format: 'jwk' })
    const publicForms = [
      current.publicKey.export({ format: 'pem', type: 'spki' }),
      current.publicKey.export({ format: 'der', type: 'spki' }),
      Buffer.from(jwk.x ?? '', 'base64url'),
      jwk.x ?? '',
      current.text,
    ]
    const hostile = { ...header, jwk: foreign.publicKey.export({ format: 'jwk' }), jku: 'https://evil.test/jwks.json' }
    const tokens = [
      sign({ ...header, kid: 'k1' }, claims, old.privateKey),
      sign(header, claims, old.privateKey),
      sign(header, claims, foreign.privateKey),
      sign(hostile, claims, foreign.privateKey),
      sign({ ...header, kid: '../k2' }, claims, foreign.privateKey),
      sign({ ...header, kid: '__proto__' }, claims, foreign.privateKey),
      sign({ ...header, kid: ['k2'] }, claims, foreign.privateKey),
      sign({ ...header, crit: ['exp'] }, claims, current.privateKey),
      ...publicForms.map((key) => signToken({ ...header, alg: 'HS256' }, claims, key)),
      signToken({ ...header, alg: 'none' }, claims, ''),
      sign(header, { ...claims, act: { sub: 'x' } }, current.privateKey),
      sign(header, { ...claims, auth_time: undefined }, current.privateKey),
    ]
    assert.deepEqual(
      await Promise.all(tokens.map(me)),
      tokens.map((_token, place) => (place === 0 ? 0 : 4013)),
    )
  })

  it('of the other kind of key ring are nobody’s', async () => {
    const secret = randomBytes(32).toString('base64url')
    await using other = await startTestPlatform({ env: { JWT_KEYS: `k2:${secret}` } })
    const [header, claims] = readToken((await issueSession(other, 0, other.adminId)).access)
    const set = await other.test.api.get('/.well-known/jwks.json')
    const confused = sign({ ...header, alg: 'EdDSA' }, claims, current.privateKey)
    const answer = await other.test.api.as(confused).get('/auth/me')
    assert.deepEqual([set.body, answer.body['code']], [{ keys: [] }, 4013])
  })

  it('are signed with what OpenSSL makes', () => {
    const der = old.privateKey.export({ format: 'der', type: 'pkcs8' })
    assert.deepEqual([der.length, createPublicKey(old.privateKey).asymmetricKeyType], [48, 'ed25519'])
  })
})
