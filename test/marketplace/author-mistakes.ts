import type { Mistake } from './author-mistake.ts'
import { codeMistakes } from './author-mistakes-code.ts'
import { jsonMistakes } from './author-mistakes-json.ts'
import { migrationMistakes } from './author-mistakes-migrations.ts'
import { nameMistakes } from './author-mistakes-names.ts'
import { pageMistakes } from './author-mistakes-pages.ts'
import { routineMistakes } from './author-mistakes-routine.ts'

const manifest = 'manifest.json'

function inManifest(from: string, to: string, line: string, says: RegExp): Mistake {
  return { file: manifest, from, to, at: [manifest, line], says }
}

/** What authors get wrong in their first days, by what they did. */
export const mistakes: Readonly<Record<string, Mistake>> = {
  ...jsonMistakes,
  'an icon that is not there': {
    ...inManifest('"license": "MIT",', '"license": "MIT",\n  "icon": "icon.png",', '"icon"', /no file icon\.png/),
    isLoaded: true,
  },
  'a key twice': inManifest(
    '"scope": "tenant",\n  "cap',
    '"scope": "tenant",\n  "scope": "tenant",\n  "cap',
    '"scope"',
    /twice|given|dupl/i,
  ),
  'a field that is not known': inManifest('"license"', '"licence"', '"licence"', /no such field/),
  'no version': inManifest('  "version": "0.1.0",\n', '', '{', /version: .*required/),
  'a version that is none': inManifest('"0.1.0"', '"0.1"', '"version"', /version/),
  'a name of another publisher': inManifest('"publisher": "acme"', '"publisher": "other"', '"publisher"', /publisher/),
  'a scope that is not known': inManifest(
    '"scope": "tenant",\n  "cap',
    '"scope": "tenants",\n  "cap',
    '"tenants"',
    /"tenant"/,
  ),
  'a capability that is not known': inManifest('["db:own_tables"', '["database"', '"capabilities"', /capabilities/),
  'a capability without a reason': inManifest(
    '    "config": "Lets you say how many notes are shown.",\n',
    '',
    '"reasons"',
    /reason/,
  ),
  'a section without its capability': inManifest(
    '"db:own_tables", "config", "ui"',
    '"db:own_tables", "ui"',
    '"config"',
    /config/,
  ),
  'a route without a handler': inManifest('"handler": "listNotes", ', '', '"path": "/notes"', /handler/),
  'a method that is not known': inManifest(
    '"method": "GET", "path": "/notes"',
    '"method": "FETCH", "path": "/notes"',
    '"FETCH"',
    /method/,
  ),
  'a path without a slash': inManifest('"path": "/hello"', '"path": "hello"', '"path": "hello"', /path/),
  'two routes of one path': inManifest(
    '"method": "POST",\n      "path": "/notes"',
    '"method": "GET",\n      "path": "/notes"',
    '{',
    /tenant_routes\.1/,
  ),
  'a permission that is not there': inManifest(
    '"permission": "read", "summary"',
    '"permission": "reed", "summary"',
    '"reed"',
    /reed|permission/,
  ),
  'a public route that does not say so': inManifest('      "auth": "none",\n', '', '{', /auth/),
  'a body that is too large': inManifest('"maxBodyKb": 16', '"maxBodyKb": 999999', '"maxBodyKb"', /maxBodyKb/),
  'a slot that is not known': inManifest('"slot": "page"', '"slot": "window"', '"window"', /slot/),
  'a page outside ui': inManifest('"ui/page.html"', '"page.html"', '"page.html"', /entry/),
  'a page that is not there': {
    ...inManifest('"ui/page.html"', '"ui/pages.html"', '"ui/pages.html"', /no file ui\/pages\.html/),
    isLoaded: true,
  },
  'a menu entry of no slot': inManifest('"slot": "notes", "area"', '"slot": "note", "area"', '"slot": "note"', /menu/),
  'a language without texts': {
    ...inManifest('"locales": ["default", "zh-CN"]', '"locales": ["default", "zh-CN", "fr"]', '"fr"', /fr/),
    isLoaded: true,
  },
  'a README that is not there': inManifest(
    '"default": "README.md"',
    '"default": "READ.md"',
    '"READ.md"',
    /READ\.md|readme/i,
  ),
  'a setting of no type': inManifest('"type": "NUMBER"', '"type": "INTEGER"', '"INTEGER"', /type/),
  'a default that breaks its rule': inManifest('"default": 20', '"default": 2000', '"default": 2000', /default/),
  'a default of another type': inManifest('"default": 20', '"default": "20"', '"default": "20"', /default/),
  'an event of another plugin': inManifest(
    '"db": {',
    '"events": { "publish": ["other.app.x"] },\n  "db": {',
    '"other.app.x"',
    /publish|events/,
  ),
  'an event of the platform that is not there': inManifest(
    '"db": {',
    '"events": { "subscribe": ["kernel.user.creatd"] },\n  "db": {',
    '"kernel.user.creatd"',
    /kernel/,
  ),
  'a schedule at no time': inManifest(
    '"db": {',
    '"schedules": [{ "id": "n", "cron": "61 * * * *", "handler": "night" }],\n  "db": {',
    '"61 * * * *"',
    /cron|schedule/,
  ),
  'a host that is an address': inManifest(
    '"db": {',
    '"http": { "hosts": [{ "host": "10.0.0.1" }] },\n  "db": {',
    '"10.0.0.1"',
    /host/,
  ),
  'tables that no migration makes': {
    ...inManifest('"tables": ["notes"]', '"tables": ["notes", "tags"]', '"tags"', /tags/),
    isLoaded: true,
  },
  'a handler that is not there': {
    ...inManifest('"handler": "listNotes"', '"handler": "listNote"', '"listNote"', /no handler "listNote".*Write it/),
    isLoaded: true,
  },
  ...migrationMistakes,
  'texts that are nested': {
    file: 'locales/zh-CN.json',
    to: '{ "hello": { "a": "b" } }\n',
    at: ['locales/zh-CN.json', '{'],
    says: /flat|depth|deep/,
    isLoaded: true,
  },
  ...codeMistakes,
  ...pageMistakes,
  ...nameMistakes,
  ...routineMistakes,
}
