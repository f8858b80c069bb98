import { equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '#kernel'
import { parseManifest } from '#sandbox'

/** Fields of a manifest that a test wants otherwise. */
export type Changes = Readonly<Record<string, unknown>>

const minimal = {
  manifestVersion: 1,
  name: 'acme.sample',
  version: '1.0.0',
  publisher: 'acme',
  title: { default: 'Sample' },
  description: { default: 'A sample.' },
  license: 'MIT',
  engines: { host: '^1.0.0' },
  main: 'dist/index.js',
  scope: 'tenant',
  capabilities: [],
}
/** The manifest of the sample plugin. */
export const guestbook = readFileSync(join(import.meta.dirname, '../fixtures/plugins/guestbook/manifest.json'))
/** The minimal manifest with changes, as text. */
export const text = (changes: Changes = {}) => JSON.stringify({ ...minimal, ...changes })
/** The minimal manifest with changes, parsed. */
export const parse = (changes: Changes = {}) => parseManifest(text(changes))

/** The faults of a manifest, as `field rule`. */
export function faultsOf(source: string | Buffer): string[] {
  try {
    parseManifest(source)
    return []
  } catch (error) {
    ok(error instanceof AppError, String(error))
    equal(error.code, 4227)
    return (error.errors ?? []).map(({ field, rule }) => `${field} ${rule}`)
  }
}

/** A route. */
export const route = (changes: Changes = {}) => ({ method: 'GET', path: '/a', handler: 'a', ...changes })
/** A manifest that asks for one capability. */
export const asking = (capability: string, changes: Changes = {}) => ({
  capabilities: [capability],
  reasons: { [capability]: 'because' },
  ...changes,
})
/** A manifest that wants one host. */
export const host = (name: string) => asking('http', { http: { hosts: [{ host: name }] } })
/** A manifest with one item of configuration. */
export const item = (changes: Changes) =>
  asking('config', { config: [{ key: 'a', type: 'STRING', scope: 'tenant', ...changes }] })
/** A manifest that subscribes to one event. */
export const hears = (type: string) => asking('events', { events: { subscribe: [type] } })
/** A manifest that publishes one event. */
export const says = (type: string) => asking('events', { events: { publish: [type] } })
/** A manifest with one schedule. */
export const cron = (expression: string, changes: Changes = {}) =>
  asking('schedule', { schedules: [{ id: 'a', cron: expression, handler: 'a', ...changes }] })
/** A slot. */
export const slot = (changes: Changes = {}) => ({ slot: 'page', id: 'a', entry: 'ui/a.html', ...changes })
