import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { knowledgeLibrary, knowledgeRetrieval } from '../../../core-plugins/knowledge/contract.ts'
import { createIndexJob } from '../../../core-plugins/knowledge/indexing/index-job.ts'
import { readerCommand } from '../../../core-plugins/knowledge/reading/reader-command.ts'
import { KnowledgeDocumentRow } from '../../../core-plugins/knowledge/tables.ts'
import type { Api } from '../../support/api.ts'
import { textOf, uploaded } from '../../support/attachments.ts'
import { silentLog } from '../../support/kernel.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { docx, pdf } from './files.ts'
import { addDocument, addReady, find, makeBase, settled } from './world.ts'

describe('documents of knowledge bases', () => {
  let platform: Platform
  let owner: Api
  let tenantId: number
  let base: string
  let site: Server
  let address: string
  before(async () => {
    let isBusy = true
    site = createServer((request, response) => {
      if (request.url === '/moved') return response.writeHead(302, { location: '/page' }).end()
      if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end()
      if (request.url === '/busy' && isBusy) {
        isBusy = false
        return response.writeHead(503).end()
      }
      if (request.url === '/inside') return response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end('<title>Our page</title><h1>Penguins</h1><p>They swim well.</p>')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${String((site.address() as AddressInfo).port)}`
    address = `http://${host}`
    platform = await startPlatform({ env: { EGRESS_ALLOW_PRIVATE: host } })
    const tenant = await createTenant(platform.admin, 'files')
    ;[owner, tenantId] = [tenant.owner, tenant.id]
    base = await makeBase(owner)
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    site.close()
  })

  async function attach(name: string, content: Buffer): Promise<string> {
    return textOf((await uploaded(owner, name, content))['id'])
  }

  async function failure(name: string, content: Buffer): Promise<readonly unknown[]> {
    const id = await addDocument(owner, base, { attachment_id: await attach(name, content) })
    const { status, error } = await settled(owner, base, id)
    return [status, error?.['code'], error?.['reason']]
  }

  it('are read from PDF, with their pages, and from Word', async () => {
    await addReady(owner, base, {
      attachment_id: await attach('a.pdf', pdf(['Whales are large.', 'Herrings are small.'])),
    })
    const [herring] = await find(owner, base, 'herring')
    assert.match(textOf(herring?.['text']), /Herrings are small/)
    await addReady(owner, base, { attachment_id: await attach('a.docx', docx(['Ostriches run fast.'])) })
    assert.equal((await find(owner, base, 'ostrich'))[0]?.['text'], 'Ostriches run fast.')
  })

  it('fail where titles and headings make more of them than an index can hold', async () => {
    const content = '<h6>a</h6>b<h6>c</h6>d'.repeat(10_500)
    const id = await addDocument(owner, base, { title: 'Headings', format: 'html', text: content })
    const { status, error } = await settled(owner, base, id)
    assert.deepEqual([status, error?.['code'], error?.['reason']], ['failed', 4130, 'document_too_large'])
  })

  it('fail with a code where they are broken, too many pages, bombs, or ask for other files, and harm nothing else', async () => {
    assert.deepEqual(await failure('broken.pdf', Buffer.from('%PDF-1.4\nnothing')), [
      ...['failed', 4008, 'document_unreadable'],
    ])
    assert.deepEqual(await failure('long.pdf', pdf(['Again.'], 10_000)), ['failed', 4130, 'document_too_large'])
    const bomb = docx(['Boom.'], '', 40 * 1024 * 1024)
    assert.deepEqual(await failure('bomb.docx', bomb), ['failed', 4130, 'document_too_costly'])
    const wordy = docx(['word '.repeat(900_000)])
    assert.deepEqual(await failure('wordy.docx', wordy), ['failed', 4130, 'document_too_large'])
    const entity = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    const asking = await addDocument(owner, base, {
      attachment_id: await attach('x.docx', docx(['Ask &e; it.'], entity)),
    })
    await settled(owner, base, asking)
    assert.deepEqual(await find(owner, base, 'root bin bash'), [])
    assert.equal((await platform.host.api.get('/api/public/health')).status, 200)
    await addReady(owner, base, { title: 'After', text: 'All is well afterwards.' })
  })

  it('are kept without what no database keeps, whole again for who reads them, and found by the names that they have', async () => {
    const said = `${'word '.repeat(2_000)}\0walrus`
    await addReady(owner, base, { attachment_id: await attach('nul.txt', Buffer.from(said)) })
    assert.match(textOf((await find(owner, base, 'walrus'))[0]?.['text']), /word walrus$/)
    // Letters of two halves, of which an odd number of halves does not end one.
    const letters = `a${String.fromCodePoint(...Array.from({ length: 1_200 }, (_, at) => 0x20000 + at))}`
    const id = await addReady(owner, base, { title: 'Letters', text: letters })
    const { services } = platform.host.kernel
    const who = { tenantId, userId: 1, roles: [], permissions: [], can: () => true, sessionId: '' }
    const reader = { scope: 'tenant' as const, ...who }
    const read = await services.get(knowledgeLibrary).read(reader, id)
    assert.ok(read?.text.replaceAll('\n', '') === letters)
    const html = '<title>Untitled</title><p>They live on ice.</p>'
    await addReady(owner, base, { title: 'Handbook of polar bears', text: html, format: 'html' })
    for (const query of ['polar bears', 'untitled'])
      assert.equal((await find(owner, base, query))[0]?.['text'], 'They live on ice.', query)
    const chunk = { chunkId: 'c', documentId: 'd', knowledgeBaseId: 'b', title: '', headings: [], page: null, score: 1 }
    const quoted = services.get(knowledgeRetrieval).citations('[1]', [{ ...chunk, text: `a${'𠮷'.repeat(200)}` }])
    assert.ok(quoted[0]?.quote.isWellFormed())
  })

  it('are found through an index, in which nobody reads who does not know the salt of their knowledge base', async () => {
    const { knex } = platform.host.kernel.database
    const own = await makeBase(owner)
    await addReady(owner, own, { title: 'Stars', text: 'Quasars shine' })
    const { rows } = await knex
      .raw<{ rows: { lexeme: string; expected: boolean }[] }>(
        `select lexeme, lexeme = translate(substr(encode(sha256(convert_to(salt || 'quasar', 'UTF8')), 'base64'), 1, 12), '+/', '-_') as expected
         from ai_knowledge_bases base join ai_knowledge_chunks chunk on chunk.base_id = base.id
         join ai_knowledge_index found on found.chunk_id = chunk.id, unnest(found.terms) where base.id = ?`,
        [own],
      )
      .queryContext({ tenant: tenantId })
    assert.deepEqual(rows.filter(({ expected }) => expected).length, 1)
    assert.ok(rows.every(({ lexeme }) => /^[\w-]{12}$/.test(lexeme)))
    const scans = async () => {
      const read = `select idx_scan as scans from pg_stat_user_indexes where indexrelname = 'ai_knowledge_index_terms'`
      return Number((await knex.raw<{ rows: { scans: string }[] }>(read)).rows[0]?.scans)
    }
    const before = await scans()
    await until(async () => {
      assert.equal((await find(owner, own, 'a shining quasar')).length, 1)
      return (await scans()) > before
    })
  })

  it('are replaced by no host that has the job no more', async () => {
    const own = await makeBase(owner)
    const id = await addReady(owner, own, { title: 'Held', text: 'Lemmings leap.' })
    const db = platform.host.kernel.database.knex
    await KnowledgeDocumentRow.of(tenantId, db).findById(id).patch({ content: 'Lemmings sleep.' })
    let holds = 0
    const hold = () => (++holds > 2 ? Promise.reject(new Error('another host has it')) : Promise.resolve())
    const none = undefined as never
    const kind = createIndexJob({ db, log: silentLog, jobs: none, files: none, http: none, hasVectors: false })
    const about = { tenantId, payload: { id }, attempt: 1, signal: new AbortController().signal, hold }
    const job = { ...about, progress: () => Promise.resolve() } as unknown as Parameters<typeof kind.run>[0]
    await assert.rejects(async () => kind.run(job), /another host/)
    const found = await find(owner, own, 'lemmings')
    assert.deepEqual(
      found.map(({ text }) => text as unknown),
      ['Lemmings leap.'],
    )
  })

  it('come from addresses, over redirects to such as may be asked, with the title that they give themselves', async () => {
    const id = await addReady(owner, base, { url: `${address}/moved` })
    const [found] = await find(owner, base, 'penguins')
    assert.deepEqual([found?.['document_id'], found?.['title'], found?.['headings']], [id, 'Our page', ['Penguins']])
    for (const path of ['/loop', '/inside']) {
      const { error } = await settled(owner, base, await addDocument(owner, base, { url: address + path }))
      assert.deepEqual([error?.['code'], error?.['reason']], [5021, 'document_unreachable'])
    }
    dataOf(await owner.get(`/admin/ai/knowledge-bases/${base}`))
  })

  it('are asked for again where a site is busy for a moment', async () => {
    const id = await addReady(owner, base, { url: `${address}/busy` })
    assert.equal((await settled(owner, base, id))['error'], null)
  })

  it('are read where there is no network', async () => {
    let calls = 0
    const listener = createServer((_request, response) => response.end(String((calls += 1))))
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const { port } = listener.address() as AddressInfo
    const tries = [
      `fetch('http://127.0.0.1:${String(port)}')`,
      `import('node:http').then((http) => http.get('http://127.0.0.1:${String(port)}'))`,
      `import('node:module').then(({ createRequire }) => createRequire('/')('net').connect(${String(port)}))`,
      `process.getBuiltinModule('net').connect(${String(port)})`,
      `process.binding('tcp_wrap')`,
      `import('node:worker_threads').then(({ Worker }) => new Worker('1', { eval: true }))`,
      `import('node:fs').then((fs) => fs.readFileSync('/etc/hostname'))`,
    ]
    const code = `const said = []
      for (const each of [${tries.map((text) => `() => ${text}`).join(', ')}]) {
        try { await each(); said.push('done') } catch { said.push('refused') }
      }
      console.log(said.join())`
    const { program, args } = await readerCommand(['--input-type=module', '-e', code])
    const { stdout } = await promisify(execFile)(program, args, { env: {} })
    listener.close()
    assert.equal(stdout.trim(), tries.map(() => 'refused').join())
    assert.equal(calls, 0)
  })
})
