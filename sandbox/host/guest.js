import { createCtx, dbFor } from './guest-ctx.js'
import { flatten, owns } from './guest-error.js'
import { append, create, hasOwn, parse, removeGlobals, sealed, stringify } from './guest-intrinsics.js'
import { answer, connect, current, finish, grant, hostCall, log, open, pause } from './guest-messages.js'
import { id as randomUuid, randomBytes, seed } from './guest-random.js'
import { addWebGlobals } from './web/globals.js'

export { answer, grant }

/** What a call may do, as it was told before: the same text comes with every call of a handler. */
const entries = create(null)
const sections = {
  __proto__: null,
  handler: 'handlers',
  hook: 'hooks',
  event: 'events',
  schedule: 'schedules',
  job: 'jobs',
  service: 'services',
  tool: 'aiTools',
  captcha: 'captcha',
  provider: 'aiProviders',
  guardrail: 'aiGuardrails',
  router: 'aiRouters',
  driver: 'storageDrivers',
}
let definition

/** Runs once in a context, before the plugin's module: `callback` is the only way out, and only the glue has it. */
export function start(callback, entropy) {
  connect(callback)
  seed(entropy)
  removeGlobals()
  addWebGlobals({
    send: (operation, argument) => hostCall(current, operation, argument),
    wait: (milliseconds) => pause(current, milliseconds),
    write: (level, message) => log(current, level, message, ''),
    random: randomBytes,
    randomUUID: () => randomUuid(),
  })
}

/** Takes the plugin's module after it was evaluated. Says what is wrong with it, or nothing. */
export function load(namespace) {
  if (!hasOwn(namespace, 'default')) return 'the main module has no default export'
  definition = namespace.default
  if (definition === null || typeof definition !== 'object') return 'the default export is not an object'
  return ''
}

/** Enters the plugin. Nothing is thrown to the host from here: an error that isolated-vm reads could loop outside the timeout. */
export function invoke(callId, entryText, input, ctx) {
  const entry = (entries[entryText] ??= sealed(parse(entryText)))
  run(open(callId, entry), entry.kind, entry.name, input, ctx)
}

async function run(call, kind, name, input, ctxText) {
  let stage = 'missing'
  try {
    if (kind === 'check') return finish(call, 'done', stringify(missing(parse(input))))
    const handler = find(kind, name)
    if (typeof handler !== 'function') return finish(call, 'missing', `the plugin has no ${kind} "${name}"`)
    stage = 'threw'
    const data = parse(ctxText)
    const send = (operation, argument, place) => hostCall(call, operation, argument, place)
    const db = dbFor(data.capabilities, send)
    const ctx = createCtx(data, send, (level, message, json) => log(call, level, message, json))
    const value = await handler(parse(input), ctx, db)
    stage = 'invalid'
    const json = value === undefined ? 'null' : stringify(value)
    if (typeof json !== 'string') finish(call, 'invalid', 'the answer has no JSON form')
    else if (json.length > call.limits.responseBytes) finish(call, 'limit', 'response_bytes')
    else finish(call, 'done', json)
  } catch (error) {
    finish(call, stage, stage === 'threw' ? flatten(error) : explain(error))
  }
}

function explain(error) {
  return parse(flatten(error)).message
}

/** An own property of the section, or of `handlers`: a manifest may name one handler for a route and a schedule. */
function find(kind, name) {
  const section = sections[kind]
  if (owns(definition, section) && owns(definition[section], name)) return definition[section][name]
  if (owns(definition, 'handlers') && owns(definition.handlers, name)) return definition.handlers[name]
  return undefined
}

/** Those of the targets that a manifest names and the plugin does not have; none of them is called. */
function missing(targets) {
  const absent = []
  for (let index = 0; index < targets.length; index++) {
    const { kind, name } = targets[index]
    if (typeof find(kind, name) !== 'function') append(absent, `${kind} "${name}"`)
  }
  return absent
}
