import { PluginError } from './guest-error.js'
import {
  append,
  create,
  defineProperty,
  IntrinsicError,
  IntrinsicPromise,
  parse,
  slice,
  stringify,
  text,
} from './guest-intrinsics.js'
import { unasked } from '../wire/sizes.ts'

/** Above this a message is refused here, before isolated-vm copies it out. */
const maxMessage = 1_048_576

/** A plugin may show stacks in a way of its own, at any length. */
const mostFrames = 8_000

const calls = create(null)
/** Lines that the module logged while it was loaded, which go out with the first call. */
const early = []
const mostEarly = 20
let post
/** The call whose turn it is: what globals do is its doing, until the next entry. */
export let current

/** Takes the only way out, which only the glue has. */
export function connect(callback) {
  post = callback
}

/** Begins a call, whose turn it is from now on. */
export function open(callId, limits) {
  const call = {
    id: callId,
    live: true,
    limits,
    sent: 0,
    running: 0,
    logged: 0,
    dropped: 0,
    next: 0,
    waiting: undefined,
    pending: undefined,
    unasked: 0,
    asked: '',
    answer: undefined,
  }
  calls[callId] = call
  current = call
  for (let index = 0; index < early.length; index++) log(call, early[index].level, early[index].message, '')
  early.length = 0
  return call
}

/** Hands the host's answer to the promise that waits for it. */
export function answer(callId, number, isOk, value) {
  const call = calls[callId]
  const waiting = call?.live ? call.pending?.[number] : undefined
  if (!waiting) return
  delete call.pending[number]
  current = call
  if (waiting.isTimer) return waiting.resolve()
  call.running--
  call.unasked -= waiting.unasked
  sendNext(call)
  if (isOk) waiting.resolve(parse(value))
  else {
    const failure = parse(value)
    waiting.reject(failed(failure, waiting.place))
  }
}

/** A refusal, which leads to where the author asked. */
function failed({ code, message, details }, place) {
  const error = new PluginError(code, message, details)
  const frames = framesOf(place)
  if (frames === undefined) return error
  defineProperty(error, 'stack', {
    __proto__: null,
    value: `PluginError: ${message}${frames}`,
    writable: true,
    configurable: true,
  })
  return error
}

/** The lines below the first of a stack. */
function framesOf(place) {
  let frames
  try {
    frames = place.stack
  } catch {
    // The plugin has a way of its own to show stacks.
  }
  if (typeof frames !== 'string') return undefined
  let start = 0
  while (start < frames.length && frames[start] !== '\n') start++
  return slice(frames, start)
}

/** There is room for the message that was asked for; meanwhile the call may have ended, and its answer is the one to go. */
export function grant(callId) {
  const call = calls[callId]
  if (!call) return
  const { asked } = call
  call.asked = ''
  if (call.live) {
    sendFirst(call, 0)
    sendNext(call)
  } else if (asked === 'answer') leave(call, 'done', call.answer)
  else askFor(call, 'answer', call.answer.length)
}

/** Ends the call and with it everything its ctx could do; a large answer waits until there is room for it. */
export function finish(call, kind, value, frames = '') {
  if (!call.live) return
  call.live = false
  call.waiting = undefined
  if (kind !== 'done' || value.length <= unasked) return leave(call, kind, value, frames)
  call.answer = value
  if (call.asked === '') askFor(call, 'answer', value.length)
}

function leave(call, kind, value, frames = '') {
  delete calls[call.id]
  if (call.dropped > 0) post(call.id, 'dropped', call.dropped, '', '')
  post(call.id, kind, 0, value, frames)
}

/** One message of a call waits for room at a time, so that they leave in order. */
function askFor(call, what, length) {
  call.asked = what
  post(call.id, 'ask', length, '', '')
}

function requireLive(call) {
  if (!call)
    throw new PluginError('revoked', 'there is no call yet: do this within a handler, not when the module is loaded')
  if (!call.live) throw new PluginError('revoked', 'the call that this ctx belongs to has ended')
}

/** Counts a call to the host. */
function isOneTooMany(call) {
  return ++call.sent > call.limits.hostCalls
}

/** Ends a call that asked the host once too often, with the place where it did. */
function endTooMany(call, place) {
  const frames = framesOf(place) ?? ''
  finish(call, 'limit', 'host_calls', frames.length > mostFrames ? '' : frames)
}

/** Resolves later. It counts as a call to the host, and holds up none of the others. */
export function pause(call, milliseconds) {
  return new IntrinsicPromise((resolve, reject) => {
    requireLive(call)
    if (isOneTooMany(call)) return endTooMany(call, new IntrinsicError())
    call.pending ??= create(null)
    call.pending[call.sent] = { __proto__: null, isTimer: true, resolve, reject }
    post(call.id, 'host', call.sent, 'timer.wait', text(milliseconds))
  })
}

export function hostCall(call, operation, argument, place = new IntrinsicError()) {
  return new IntrinsicPromise((resolve, reject) => {
    requireLive(call)
    const json = stringify(argument)
    if (typeof json !== 'string')
      throw new PluginError('invalid', `the argument of ${text(operation)} has no JSON form`)
    if (json.length > maxMessage) throw tooLarge(operation)
    if (isOneTooMany(call)) return endTooMany(call, place)
    call.waiting ??= []
    call.pending ??= create(null)
    append(call.waiting, { __proto__: null, number: call.sent, operation, json, place, unasked: 0, resolve, reject })
    sendNext(call)
  })
}

function tooLarge(operation) {
  const details = { __proto__: null, reason: 'argument_too_large', limit: 'request_bytes' }
  return new PluginError('invalid', `The argument of ${text(operation)} is larger than ${maxMessage} bytes`, details)
}

/** Sends what waits, in order, as long as fewer than the allowed number are under way, and the next is not too large to go unasked. */
function sendNext(call) {
  while (call.live && call.asked === '' && call.running < call.limits.hostCallsInFlight) {
    if (call.next === call.waiting.length) return
    const { length } = call.waiting[call.next].json
    if (length > unasked - call.unasked) return askFor(call, 'host', length)
    sendFirst(call, length)
  }
}

function sendFirst(call, unasked) {
  const item = call.waiting[call.next]
  const { json } = item
  call.waiting[call.next++] = undefined
  call.pending[item.number] = item
  call.running++
  call.unasked += unasked
  item.unasked = unasked
  item.json = undefined
  post(call.id, 'host', item.number, item.operation, json)
}

export function log(call, level, message, json) {
  if (!call) {
    if (early.length < mostEarly) append(early, { __proto__: null, level, message })
    return
  }
  if (!call.live) return
  if (call.logged >= call.limits.logLines) {
    call.dropped++
    return
  }
  call.logged++
  post(call.id, level, 0, message, json)
}
