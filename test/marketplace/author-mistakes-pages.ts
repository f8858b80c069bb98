import type { Mistake } from './author-mistake.ts'

function inPage(from: string, to: string, says: RegExp): Mistake {
  return { file: 'ui/page.html', from, to, at: ['ui/page.html', to], says }
}

function inScript(from: string, to: string, says: RegExp, line = to): Mistake {
  return { file: 'ui/page.js', from, to, at: ['ui/page.js', line], says }
}

/** What is missed is missed in the whole page, so its first line is named. */
function lacks(from: string, to: string, says: RegExp): Mistake {
  return { file: 'ui/page.html', from, to, at: ['ui/page.html', '<!doctype html>'], says, level: 'warning' }
}

function ofOthers(line: string, says: RegExp): Mistake {
  return {
    ...inScript('await show()\nstoa.ready()', `${line}\nawait show()\nstoa.ready()`, says, line),
    level: 'warning',
  }
}

/** What authors get wrong in their first pages and texts. */
export const pageMistakes: Readonly<Record<string, Mistake>> = {
  'a page that loads from elsewhere': inPage('href="page.css"', 'href="https://cdn.test/a.css"', /own package/),
  'a page whose script is not there': inPage('src="page.js"', 'src="app.js"', /no ui\/app\.js/),
  'a page that loads from no address': inPage('src="page.js"', 'src="%zz.js"', /no address/),
  'a page with a script in TypeScript': inPage('src="page.js"', 'src="page.ts"', /no TypeScript/),
  'a page with a handler in an attribute': inPage('<ul id="list">', '<ul id="list" onclick="x()">', /addEventListener/),
  'a page with a style in an attribute': inPage('<ul id="list">', '<ul id="list" style="color: red">', /\.css file/),
  'a page with a style sheet of its own': inPage('<main>', '<style>a {}</style><main>', /<style> has no effect/),
  'a page that names what its script is': inPage('src="page.js"', 'src="page.js" integrity="sha256-x"', /Leave it out/),
  'a page without a language': lacks('<html lang="en">', '<html>', /lang="en"/),
  'a page without a title': lacks('<title>Notes</title>', '<title> </title>', /<title>/),
  'a page that looks like no other': lacks(
    '<link rel="stylesheet" href="/plugin-ui/sdk/1/stoa-ui.css" />',
    '',
    /stoa-ui\.css/,
  ),
  'a page that imports a package by its name': inScript("'/plugin-ui/sdk/1/stoa-ui.js'", "'lodash'", /bundle it/),
  'a page that imports the SDK by its name': inScript(
    "'/plugin-ui/sdk/1/stoa-ui.js'",
    "'@stoa/plugin-sdk/ui'",
    /\/plugin-ui\/sdk\/1\/stoa-ui\.js/,
  ),
  'a page that imports a file that is not there': inScript("'/plugin-ui/sdk/1/stoa-ui.js'", "'./bridge'", /with \.js/),
  'a script of a page that does not parse': inScript('await connect()', 'await connect(', /Unexpected/, 'const [form'),
  'a page that fetches by itself': ofOthers("await fetch('/tenant/notes')", /no fetch.*stoa\.get/),
  'a page that makes requests of the old kind': ofOthers('new window.XMLHttpRequest()', /no XMLHttpRequest.*bridge/),
  'a page that keeps something in the browser': ofOthers("localStorage.setItem('a', 'b')", /preference/),
  'a page that keeps something for the tab': ofOthers("self.sessionStorage.getItem('a')", /preference/),
  'a page with a database of the browser': ofOthers("indexedDB.open('notes')", /no indexedDB/),
  'a page that writes a cookie': ofOthers("document.cookie = 'a=b'", /no document\.cookie/),
  'a page that reads a cookie': ofOthers('stoa.setTitle(document.cookie)', /no document\.cookie/),
  'texts that are no JSON': {
    ...{ file: 'locales/default.json', to: '{\n  "hello": "Hello",\n}\n' },
    ...{ at: ['locales/default.json', '}'], says: /JSON/ },
  },
}
