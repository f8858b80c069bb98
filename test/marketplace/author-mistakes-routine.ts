import type { Mistake } from './author-mistake.ts'

const manifest = 'manifest.json'
const styles = 'ui/page.css'

function inManifest(from: string, to: string, line: string, says: RegExp): Mistake {
  return { file: manifest, from, to, at: [manifest, line], says }
}

/** What authors bring along from other frameworks and other days. */
export const routineMistakes: Readonly<Record<string, Mistake>> = {
  'a path with braces': inManifest('"/notes"', '"/notes/{noteId}"', '{noteId}', /\{noteId\} is written :noteid here/),
  'a path like a file': inManifest(
    '"/notes"',
    '"/notes.csv"',
    '/notes.csv',
    /no "\.": a file is named by content-disposition/,
  ),
  'a path with a slash at the end': inManifest('"/notes"', '"/notes/"', '"/notes/"', /slash at the end out/),
  'a path in large letters': inManifest('"/notes"', '"/Notes"', '"/Notes"', /small letters.*no "N"/),
  'a title that is a text': inManifest(
    '{ "default": "Example", "zh-CN": "Example" }',
    '"Example"',
    '"title"',
    /object/,
  ),
  'a choice without options': inManifest('"type": "NUMBER"', '"type": "SELECT"', '{', /needs options/),
  'a limit of no kind': inManifest('"perIpPerMinute"', '"perMinute"', '"perMinute"', /no such field/),
  'a range of versions that is none': {
    ...{
      file: manifest,
      from: '"permissions": [',
      to: '"uses": { "acme.crm/contacts": "newest" },\n  "permissions": [',
    },
    ...{ at: [manifest, '"newest"'], says: /range of versions such as/ },
    manifest: [
      ['["db:own_tables", ', '["services:use", "db:own_tables", '],
      ['"reasons": {', '"reasons": {\n    "services:use": "Needs it.",'],
    ],
  },
  'an event that nobody hears': {
    ...{
      file: manifest,
      from: '"permissions": [',
      to: '"events": {\n "subscribe": ["kernel.user.created"] },\n  "permissions": [',
    },
    ...{
      at: [manifest, 'kernel.user.created'],
      says: /no event "kernel\.user\.created"\. Write it, export it/,
      isLoaded: true,
    },
    manifest: [
      ['["db:own_tables", ', '["events", "db:own_tables", '],
      ['"reasons": {', '"reasons": {\n    "events": "Needs it.",'],
    ],
  },
  'a way back that leaves a table': {
    ...{ file: 'migrations/0001_init.down.sql', to: '-- nothing to do\n' },
    ...{ at: ['migrations/0001_init.down.sql', 'nothing'], says: /found notes: drop table notes$/, isLoaded: true },
  },
  'a style from elsewhere': {
    ...{ file: styles, from: 'main {', to: "@import url('https://fonts.test/a.css');\nmain {" },
    ...{ at: [styles, '@import'], says: /own package alone/ },
  },
  'a picture of a style that is not there': {
    ...{ file: styles, from: 'main {', to: 'main {\n  background: url(bg.png);' },
    ...{ at: [styles, 'bg.png'], says: /no ui\/bg\.png/ },
  },
}
