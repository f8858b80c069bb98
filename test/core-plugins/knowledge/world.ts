import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'

/** Where knowledge bases are. */
export const path = '/admin/ai/knowledge-bases'

/** Makes a knowledge base; answers its id. */
export async function makeBase(owner: Api, more: object = {}): Promise<string> {
  return textOf(dataOf(await owner.post(path, { name: 'Help', ...more }), 201)['id'])
}

/** Adds a document; answers its id. */
export async function addDocument(owner: Api, baseId: string, document: object): Promise<string> {
  return textOf(dataOf(await owner.post(`${path}/${baseId}/documents`, document), 201)['id'])
}

/** A document once it is ready or has failed. */
export async function settled(owner: Api, baseId: string, id: string): Promise<Body> {
  let found: Body | undefined
  await until(async () => {
    found = dataOf(await owner.get(`${path}/${baseId}/documents/${id}`))
    return ['ready', 'failed'].includes(textOf(found['status']))
  }, 60_000)
  assert.ok(found)
  return found
}

/** Adds a document, which must become ready. */
export async function addReady(owner: Api, baseId: string, document: object): Promise<string> {
  const id = await addDocument(owner, baseId, document)
  const { status, error } = await settled(owner, baseId, id)
  assert.equal(status, 'ready', JSON.stringify(error))
  return id
}

/** What a knowledge base finds, best first. */
export async function find(by: Api, baseId: string, query: string, more: object = {}): Promise<readonly Body[]> {
  return dataOf(await by.post(`${path}/${baseId}/search`, { query, ...more }))['items'] as unknown as readonly Body[]
}
