import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readLicence } from '#marketplace'
import { runCommandLine } from '../../marketplace/cli.ts'

describe('stoa licence', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-test-'))
    for (const name of ['acme', 'other']) {
      const made = await runCommandLine(['licence', 'keygen', `${name}-lic`, '--out', path.join(folder, name)])
      assert.equal(made.exitCode, 0, made.stderr)
    }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const keyOf = (name: string) => path.join(folder, `${name}.key.json`)
  const publicOf = (name: string) => path.join(folder, `${name}.pub.json`)
  const issue = (...options: string[]) =>
    runCommandLine(['licence', 'issue', '--plugin', 'acme.paid', '--key', keyOf('acme'), ...options])

  it('issues a token that says what was asked for', async () => {
    const options = [
      '--days',
      '30',
      '--features',
      'export, sync',
      '--seats',
      '3',
      '--grace',
      '0',
      '--id',
      'order-12345',
    ]
    const { exitCode, stdout } = await issue(...options)
    assert.equal(exitCode, 0)
    const { nbf, exp, ...licence } = readLicence(stdout.trim())
    assert.deepEqual(licence, {
      ...{ v: 1, typ: 'lic', jti: 'order-12345', kid: 'acme-lic', plugin: 'acme.paid', pub: 'acme', host: '*' },
      ...{ seats: 3, features: ['export', 'sync'], grace: 0 },
    })
    assert.equal((exp ?? 0) - nbf, 30 * 86_400)
  })

  it('issues one without an end, for some tenants of one site, and reads it from a file', async () => {
    const out = path.join(folder, 'customer.licence')
    const host = `site-${'a'.repeat(32)}`
    const made = await issue('--forever', '--host', host, '--tenants', '3,7', '--out', out, '--json')
    const { licence } = JSON.parse(made.stdout) as { licence: object }
    const read = await runCommandLine(['licence', 'inspect', out, '--key', publicOf('acme'), '--json'])
    assert.deepEqual(JSON.parse(read.stdout), { verified: true, licence })
    const again = await issue('--forever', '--out', out)
    assert.equal(again.exitCode, 2, 'a file that exists stays')
  })

  it('tells a token of another key, and what is no token', async () => {
    const { stdout } = await issue('--days', '1')
    const foreign = await runCommandLine(['licence', 'inspect', stdout.trim(), '--key', publicOf('other')])
    assert.equal(foreign.exitCode, 1)
    assert.equal((await runCommandLine(['licence', 'inspect', stdout.trim()])).exitCode, 0)
    assert.equal((await runCommandLine(['licence', 'inspect', 'nothing'])).exitCode, 2)
  })

  it('does not guess', async () => {
    for (const options of [
      [],
      ['--days', '1', '--forever'],
      ['--days', '0'],
      ['--days', '1', '--seats', '1', '--tenants', '2'],
      ['--days', '1', '--tenants', 'one'],
    ])
      assert.equal((await issue(...options)).exitCode, 2, options.join(' '))
    assert.equal((await issue('--days', '1', '--features', 'Not a slug')).exitCode, 1)
  })
})
