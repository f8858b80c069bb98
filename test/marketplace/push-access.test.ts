import { deepEqual, rejects } from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { addCi, addToken } from '../../marketplace/push/access-file.ts'
import { PushAccess } from '../../marketplace/push/push-access.ts'
import { startTokenIssuer } from './token-issuer.ts'

describe('who may push', () => {
  let folder: string
  let file: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-access-'))
    file = path.join(folder, 'access.json')
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is whoever has a token, as long as it lives', async () => {
    const hour = 3_600_000
    const lives = await addToken(file, { id: 'lives', publisher: 'acme', expires: new Date(Date.now() + hour) })
    const ended = await addToken(file, { id: 'ended', publisher: 'acme', expires: new Date(Date.now() - hour) })
    const access = new PushAccess(file)
    deepEqual([await access.find(lives), await access.find(ended)], [{ publisher: 'acme' }, undefined])
  })

  const claims = { repository: 'acme/sample' }
  const audience = 'https://plugins.acme.test/'
  const issuers: readonly (readonly [what: string, told: Parameters<typeof startTokenIssuer>[0]])[] = [
    ['goes by another name', () => ({ issuer: 'https://issuer.acme.test' })],
    ['has its keys where anybody on the way puts others', (port) => ({ jwks_uri: `http://0.0.0.0:${port}/keys` })],
  ]
  for (const [what, told] of issuers) {
    it(`is no run whose issuer ${what}`, async () => {
      await using issuer = await startTokenIssuer(told)
      await addCi(file, { id: 'ci', publisher: 'acme', issuer: issuer.url, audience, claims })
      const token = await issuer.sign({ aud: audience, ...claims })
      const refusal = { name: 'CiTokenError', message: 'its issuer does not tell its keys' }
      await rejects(new PushAccess(file).find(token), refusal)
    })
  }

  it('is not every run of a code host', async () => {
    const ci = { id: 'ci', publisher: 'acme', issuer: 'https://issuer.acme.test', audience, claims: {} }
    const details = { file: 'the access file', rule: 'rule', problem: 'a CI is told by no claim' }
    const refusal = { name: 'index_invalid', details }
    await rejects(addCi(file, ci), refusal)
    await writeFile(file, JSON.stringify({ format: 1, tokens: [], ci: [ci] }))
    await rejects(new PushAccess(file).find('a'), refusal)
  })
})
