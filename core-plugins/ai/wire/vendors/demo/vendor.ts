import type { Vendor } from '../../vendor.ts'
import { unreadable } from '../said.ts'
import { embedDemo, streamDemo } from './local.ts'

/** The one model that a fresh installation has; its name says what it is. */
const demoModel = 'stoa-demo'

/** Answers without a key and a network, so that everything around a model can be tried; says in every answer that it is a demo. */
export const demo: Vendor = {
  type: 'demo',
  wire: 'demo',
  chat: () => ({ method: 'POST', path: '/', headers: {}, body: undefined, dropped: [] }),
  models: () => ({ method: 'GET', path: '/models', headers: {}, body: undefined, dropped: [] }),
  readModels: () => [demoModel],
  readAnswer: notDialled,
  reader: notDialled,
  fault: (status) => ({ class: 'server', status, message: 'The demo is never dialled' }),
  local: { chat: streamDemo, embed: embedDemo },
}

function notDialled(): never {
  throw unreadable('The demo is never dialled')
}
