import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { demoOwner, type Credentials, type Stage } from './stage.ts'

/** An ordinary user of the demo tenant, with no conversations. */
export interface Reader {
  readonly who: Credentials
  readonly api: Api
}

/** Adds one. */
export async function newReader(stage: Stage): Promise<Reader> {
  const owner = await stage.owner()
  const [email, password] = [`${randomUUID()}@demo.test`, 'a long enough passphrase']
  dataOf(await owner.post('/tenant/users', { email, password, nickname: 'Reader', roles: ['tenant_user'] }), 201)
  const who = { tenant_code: demoOwner(stage).tenant_code ?? '', account: email, password }
  const headers = { 'x-forwarded-for': `203.0.113.${Math.floor(Math.random() * 256)}` }
  return { who, api: owner.as(dataOf(await owner.post('/auth/login/json', who, { headers }))['access_token']) }
}

/** One whom the demo's own agent answers, where others were left behind: those may give conversations names of their own. */
export async function readerOfWriter(stage: Stage): Promise<Reader> {
  const reader = await newReader(stage)
  const [writer] = dataOf(await reader.api.get('/ai/agents?q=writer'))['items'] as unknown as { readonly id: string }[]
  dataOf(await reader.api.patch('/preferences', { default_agent_id: writer?.id }))
  return reader
}

/** Asks an agent over HTTP; the conversation that comes of it, which has this title. */
export async function converse(api: Api, message: string, agent = 'writer'): Promise<string> {
  const { conversation_id: id } = dataOf(await api.post(`/ai/agent-chat/${agent}/chat`, { message }))
  return id as unknown as string
}

/** The field that messages are written in. */
export function composerOf(page: Page) {
  return page.getByLabel('Write a message')
}

/** Asks what the demo model says again, and waits for the whole answer. */
export async function ask(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text)
  await composerOf(page).press('Enter')
  await answeredTo(page, text)
}

/** Waits for the whole answer to what was asked last. */
export async function answeredTo(page: Page, text: string): Promise<void> {
  await page.getByRole('article', { name: 'Answer' }).last().getByText(`You said: ${text}`).waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
}
