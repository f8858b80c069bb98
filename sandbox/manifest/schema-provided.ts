import { sandboxLimits } from '../limits.ts'
import { configItem } from './schema-config.ts'
import {
  anyObject,
  exportName,
  list,
  localised,
  matching,
  object,
  oneOf,
  shortName,
  slug,
  whole,
  type Schema,
} from './schema-parts.ts'

const aiTool = object(
  {
    name: shortName(64),
    title: localised(100),
    description: localised(1_000),
    input: anyObject,
    output: anyObject,
    handler: exportName,
    effect: oneOf(['read', 'write', 'external']),
    confirm: oneOf(['never', 'write', 'always']),
    permission: shortName(31),
    timeoutMs: whole(100, sandboxLimits.wallMs.max),
    quotaCost: whole(0, 1_000),
  },
  ['name', 'description', 'input', 'handler'],
)

const aiProvider = object(
  {
    code: slug,
    title: localised(100),
    config: list(configItem, 50),
    secrets: list(shortName(40), 20),
    handlers: object(
      {
        ...{ request: exportName, chunk: exportName, error: exportName, models: exportName, test: exportName },
        embeddings: exportName,
      },
      ['request', 'chunk'],
    ),
  },
  ['code', 'title', 'handlers'],
)

const aiGuardrail = object(
  {
    code: slug,
    title: localised(100),
    description: localised(500),
    handlers: {
      ...object({ input: exportName, output: exportName, output_stream: exportName }),
      minProperties: 1,
    },
    timeoutMs: whole(10, 10_000),
    onError: oneOf(['open', 'closed']),
    holdBackChars: whole(0, 4_096),
  },
  ['code', 'title', 'handlers'],
)

const aiRouter = object({ code: slug, title: localised(100), description: localised(500), handler: exportName }, [
  ...['code', 'title', 'handler'],
])

const captcha: Schema = {
  anyOf: [
    { type: 'null' },
    object({ code: slug, title: localised(100), description: localised(500), fallback: { const: 'image' } }, [
      'code',
      'title',
    ]),
  ],
}

const storageOperations = ['put', 'get', 'delete', 'list', 'stat']
const storageDriver = object(
  {
    name: slug,
    title: localised(100),
    config: list(configItem, 50),
    handlers: object(
      Object.fromEntries([...storageOperations, 'test'].map((name) => [name, exportName])),
      storageOperations,
    ),
  },
  ['name', 'title', 'handlers'],
)

const providedService = object(
  {
    name: slug,
    version: matching(/^\d+\.\d+\.\d+$/, 64),
    title: localised(100),
    description: localised(500),
    methods: list(
      object(
        {
          name: exportName,
          handler: exportName,
          input: anyObject,
          output: anyObject,
          effect: oneOf(['read', 'write', 'external']),
          timeoutMs: whole(100, sandboxLimits.wallMs.max),
        },
        ['name', 'handler', 'input'],
      ),
      30,
      1,
    ),
  },
  ['name', 'version', 'methods'],
)

/** What a plugin adds to the platform. */
export const provided: Schema = object({
  aiTools: list(aiTool, 50),
  aiProviders: list(aiProvider, 10),
  aiGuardrails: list(aiGuardrail, 10),
  aiRouters: list(aiRouter, 10),
  captcha,
  storageDrivers: list(storageDriver, 5),
  services: list(providedService, 10),
})
