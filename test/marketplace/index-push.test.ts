import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSigningKey } from '../../marketplace/cli/key-file.ts'
import { serveIndex, type ServedIndex } from '../../marketplace/keeper/serve-index.ts'
import { PushReceiver } from '../../marketplace/push/receive-push.ts'
import { makeIndexWorkshop, type IndexWorkshop } from './index-workshop.ts'
import { startTokenIssuer, type TokenIssuer } from './token-issuer.ts'

interface Said {
  readonly reason?: string
  readonly message?: string
  readonly version?: string
  readonly sequence?: number
  readonly provenance?: unknown
}

describe('an index that takes pushes', () => {
  let workshop: IndexWorkshop
  let served: ServedIndex
  let issuer: TokenIssuer
  let token: string
  let minor = 0
  const claims = { repository: 'acme/sample', ref: 'refs/heads/main' }

  before(async () => {
    workshop = await makeIndexWorkshop()
    issuer = await startTokenIssuer()
    const receiver = new PushReceiver({
      folder: workshop.index,
      accessFile: `${workshop.index}.access.json`,
      keys: [await readSigningKey(join(workshop.path, 'index.index-1.key.json'))],
      expiresDays: 14,
    })
    await receiver.open()
    served = await serveIndex(workshop.index, { host: '127.0.0.1', port: 0, receiver })
    const made = await workshop.run('index', 'add-token', 'acme', '--id', 'laptop', '--index', 'index')
    token = (made.json as { token: string }).token
    const wanted = Object.entries(claims).map((pair) => pair.join('='))
    const added = await workshop.run(
      ...['index', 'add-ci', 'acme', '--id', 'ci', '--issuer', issuer.url, '--audience', served.url],
      ...['--claims', wanted.join(','), '--index', 'index'],
    )
    equal(added.exitCode, 0)
  })

  after(async () => {
    await served[Symbol.asyncDispose]()
    await issuer[Symbol.asyncDispose]()
    await workshop[Symbol.asyncDispose]()
  })

  const next = (more: object = {}, key?: string) => workshop.pack({ version: `1.${++minor}.0`, ...more }, key)

  async function push(zip: string | Uint8Array, bearer?: string): Promise<{ status: number; body: Said }> {
    const answer = await fetch(new URL('-/packages', served.url), {
      method: 'POST',
      body: new Blob([typeof zip === 'string' ? await readFile(zip) : zip]),
      headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    })
    return { status: answer.status, body: (await answer.json()) as Said }
  }

  const refusalOf = async (zip: string | Uint8Array, bearer?: string) => {
    const before = await workshop.readIndex()
    const { status, body } = await push(zip, bearer)
    deepEqual(await workshop.readIndex(), before, 'something was written')
    return [status, body.reason]
  }

  it('publishes what the command line sends with a token, signed by the index', async () => {
    await writeFile(join(workshop.path, 'token'), `${token}\n`)
    const args = [await next(), '--index', served.url, '--token-file', 'token']
    const { exitCode, json } = await workshop.run('publish', ...args)
    deepEqual([exitCode, (json as Said).version, (json as Said).provenance], [0, `1.${minor}.0`, null])
    const shown = await workshop.run('show', 'acme.sample', '--index', served.url)
    equal((shown.json as { versions: { version: string }[] }).versions[0]?.version, `1.${minor}.0`)
    const checked = await workshop.run('index', 'check', 'index')
    equal(checked.exitCode, 0)
  })

  it('takes nothing without a token, with another, or with one that was removed', async () => {
    const zip = await next()
    deepEqual(await refusalOf(zip), [401, 'token_missing'])
    deepEqual(await refusalOf(zip, `${token}x`), [401, 'token_unknown'])
    const made = await workshop.run('index', 'add-token', 'acme', '--id', 'short', '--index', 'index')
    await workshop.run('index', 'remove-access', 'short', '--index', 'index')
    deepEqual(await refusalOf(zip, (made.json as { token: string }).token), [401, 'token_unknown'])
    const file = `${workshop.index}.access.json`
    equal((await stat(file)).mode & 0o777, 0o600)
    const inside = ['--index', 'index', '--access-file', 'index/access.json']
    match(JSON.stringify(await workshop.run('index', 'add-token', 'acme', '--id', 'b', ...inside)), /in the index/)
    ok(!(await readFile(file, 'utf8')).includes(token), 'the token itself is kept')
  })

  it('takes no package that the token is not for, that nobody signed, that is none, or that is published', async () => {
    const made = await workshop.run('index', 'add-token', 'other', '--id', 'others', '--index', 'index')
    const others = (made.json as { token: string }).token
    deepEqual(await refusalOf(await next(), others), [403, 'publisher_other'])
    deepEqual(await refusalOf(await next({}, 'other-1'), token), [422, 'refused'])
    deepEqual(await refusalOf(Buffer.from('no zip'), token), [400, 'package_invalid'])
    const zip = await next()
    equal((await push(zip, token)).status, 201)
    deepEqual(await refusalOf(zip, token), [409, 'version_taken'])
  })

  it('adds what is pushed at once one after the other', async () => {
    const zips = [await next(), await next(), await next()]
    const answers = await Promise.all(zips.map((zip) => push(zip, token)))
    const taken = answers.filter(({ status }) => status === 201)
    ok(taken.length > 0)
    // A version older than the last is refused, whichever of them came first.
    for (const { status } of answers) ok(status === 201 || status === 422, String(status))
    const sequences = taken.map(({ body }) => body.sequence)
    equal(new Set(sequences).size, taken.length)
    equal((await workshop.run('index', 'check', 'index')).exitCode, 0)
  })

  it('believes the identity of a run, once, and says in the version which run it was', async () => {
    const identity = await issuer.sign({ aud: served.url, ...claims, sha: 'c0ffee', run_id: '77' })
    const { status, body } = await push(await next(), identity)
    const provenance = { issuer: issuer.url, subject: 'a run', ...claims, commit: 'c0ffee', run: '77' }
    deepEqual([status, body.provenance], [201, provenance])
    const { json } = await workshop.run('show', 'acme.sample', '--index', served.url)
    deepEqual((json as { versions: { provenance: unknown }[] }).versions[0]?.provenance, provenance)
    const page = await readFile(join(workshop.index, 'plugins/acme.sample/index.html'), 'utf8')
    match(page, /published by acme\/sample refs\/heads\/main at c0ffee/)
    deepEqual(await refusalOf(await next(), identity), [401, 'identity_refused'])
    // Decoders pass over bits that the last letter has too many: the same signature, written otherwise.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const other = letters[letters.indexOf(identity.at(-1) ?? '') ^ 1] ?? ''
    deepEqual(await refusalOf(await next(), identity.slice(0, -1) + other), [401, 'identity_refused'])
  })

  const lies: readonly (readonly [why: string, make: (at: TokenIssuer) => Promise<string>])[] = [
    ['of another repository', (at) => at.sign({ aud: served.url, ...claims, repository: 'evil/sample' })],
    ['of another branch', (at) => at.sign({ aud: served.url, ...claims, ref: 'refs/heads/evil' })],
    ['without a claim that is asked for', (at) => at.sign({ aud: served.url, repository: claims.repository })],
    ['for another audience', (at) => at.sign({ aud: 'https://elsewhere.test/', ...claims })],
    ['that has ended', (at) => at.sign({ aud: served.url, ...claims }, { issued: -4_000, lives: 300 })],
    ['that lives for a day', (at) => at.sign({ aud: served.url, ...claims }, { lives: 86_400 })],
    ['of an issuer that nobody named', (at) => at.sign({ aud: served.url, ...claims, iss: 'http://127.0.0.1:9' })],
    ['signed by a key of somebody else', (at) => at.signWithOther({ aud: served.url, ...claims })],
    ['signed with the public key as a secret', (at) => at.signAsSecret({ aud: served.url, ...claims })],
    ['that nobody signed', (at) => at.unsigned({ aud: served.url, ...claims })],
  ]
  for (const [why, make] of lies) {
    it(`believes no identity ${why}`, async () => {
      deepEqual(await refusalOf(await next(), await make(issuer)), [401, 'identity_refused'])
    })
  }

  it('is asked by the command line with the identity that a run gets from its code host', async () => {
    const env = {
      ACTIONS_ID_TOKEN_REQUEST_URL: issuer.requestUrl({ ...claims, sha: 'beef' }),
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: issuer.requestToken,
    }
    Object.assign(process.env, env)
    try {
      const { exitCode, json } = await workshop.run('publish', await next(), '--index', served.url, '--ci')
      deepEqual([exitCode, (json as { provenance: { commit: string } }).provenance.commit], [0, 'beef'])
    } finally {
      for (const name of Object.keys(env)) Reflect.deleteProperty(process.env, name)
    }
    const outside = await workshop.run('publish', await next(), '--index', served.url, '--ci')
    match(JSON.stringify(outside), /no identity token/)
  })

  it('takes nothing where it only serves, nor a token over a plain connection to elsewhere', async () => {
    await using plain = await serveIndex(workshop.index, { host: '127.0.0.1', port: 0 })
    const args = [await next(), '--token-file', 'token', '--index']
    match(JSON.stringify(await workshop.run('publish', ...args, plain.url)), /takes no pushes/)
    match(JSON.stringify(await workshop.run('publish', ...args, 'http://plugins.acme.test/')), /readable on its way/)
    match(JSON.stringify(await workshop.run('publish', 'none.zip', '--index', plain.url)), /no file none\.zip/)
  })

  it('can be a clone as well: what is published is committed and pushed on a branch of its own', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', workshop.index, '-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], {
        encoding: 'utf8',
      })
    const origin = join(workshop.path, 'origin.git')
    execFileSync('git', ['init', '-q', '--bare', origin])
    git('init', '-q', '-b', 'main')
    git('config', 'user.name', 'a')
    git('config', 'user.email', 'a@b.test')
    git('add', '-A')
    git('commit', '-qm', 'index')
    git('remote', 'add', 'origin', origin)
    const version = `1.${minor + 1}.0`
    const { exitCode } = await workshop.run('publish', await next(), '--index', 'index', '--push')
    equal(exitCode, 0)
    const branch = `acme.sample-${version}`
    const files = execFileSync('git', ['-C', origin, 'diff', '--name-only', `${branch}~1`, branch], {
      encoding: 'utf8',
    })
    match(files, new RegExp(`p/ac/acme.sample/releases/acme.sample-${version.replaceAll('.', '\\.')}`))
    equal(git('status', '--porcelain', '--', 'p').trim(), '')
    const again = await workshop.run('publish', await next(), '--index', 'index', '--push')
    equal(again.exitCode, 0)
  })
})
