import assert from 'node:assert/strict'
import { corePlugins } from '../../../core-plugins/index.ts'
import { startTestPlatform } from '../../support/identity.ts'

interface Described {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly additionalProperties?: unknown
  readonly description?: string
  readonly items?: Described
  readonly oneOf?: readonly Described[]
  readonly anyOf?: readonly Described[]
}
interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, { readonly content?: Content }>> }>>
    >
  >
}
type Content = Readonly<Record<string, { readonly schema: Described }>>

/** What the console reads most of: the navigation, settings, what is said in chats, and how preferences change. */
const read = [
  'get /permissions/menus',
  'get /admin/menus',
  'get /tenant/menus',
  'get /admin/configs/groups',
  'get /admin/configs/groups/{group_code}',
  'put /tenant/configs/groups/{group_code}',
  'get /admin/plugins/{plugin_id}/config',
  'get /ai/agent-chat/conversations',
  'get /ai/agent-chat/conversations/{conversation_id}',
  'put /ai/agent-chat/conversations/{conversation_id}/messages/{message_id}/feedback',
  'post /ai/agent-chat/{agent_id}/chat',
]

/** Where an object is that nothing is said of. */
function bare(schema: Described, at: string): readonly string[] {
  const isObject = [schema.type].flat().includes('object')
  const says = schema.properties ?? schema.additionalProperties ?? schema.description
  const below = [
    ...Object.entries(schema.properties ?? {}).map(([name, each]) => [each, `${at}.${name}`] as const),
    ...(schema.items ? [[schema.items, `${at}[]`] as const] : []),
    ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].map((each, index) => [each, `${at}|${index}`] as const),
  ]
  return [...(isObject && says === undefined ? [at] : []), ...below.flatMap(([each, where]) => bare(each, where))]
}

describe('/openapi.json', () => {
  it('says of what the console reads what members it has', async () => {
    await using platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
    const { body } = await platform.admin.get('/openapi.json')
    const { paths } = body as unknown as Document
    const found = read.flatMap((route) => {
      const [method = '', path = ''] = route.split(' ')
      const responses = paths[path]?.[method]?.responses ?? assert.fail(`there is no ${route}`)
      const schema = responses['200']?.content?.['application/json']?.schema ?? assert.fail(`${route} answers nothing`)
      return bare(schema, route)
    })
    assert.deepEqual(found, [])
    const parts = paths['/ai/agent-chat/conversations/{conversation_id}']?.['get']?.responses['200']
    const kinds = JSON.stringify(parts).match(/"const":"(text|attachment)"/g)
    assert.deepEqual(kinds, ['"const":"text"', '"const":"attachment"'])
  })
})
