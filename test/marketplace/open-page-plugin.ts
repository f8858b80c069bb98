import { sampleManifest } from './sample-package.ts'

const slot = (id: string, more: object = {}): object => ({ slot: 'page', id, entry: `ui/${id}.html`, ...more })
/** The manifest of a plugin whose pages show what they are told, and what does not work in them. */
export const manifest = sampleManifest({
  ...{ name: 'acme.pages', title: { default: 'Pages', 'zh-CN': '页面' }, capabilities: ['ui', 'events'] },
  reasons: { ui: 'Shows things.', events: 'Tells of them.' },
  events: { publish: ['acme.pages.thing.made'] },
  permissions: [
    { code: 'read', title: { default: 'Read' } },
    { code: 'write', title: { default: 'Write' } },
  ],
  preferences: [{ key: 'layout', title: { default: 'Layout' }, schema: { enum: ['list', 'board'] }, default: 'list' }],
  tenant_routes: [
    { method: 'GET', path: '/who', handler: 'who', permission: 'read' },
    { method: 'POST', path: '/broken', handler: 'broken', permission: 'write' },
    { method: 'GET', path: '/file', handler: 'file', permission: 'read' },
  ],
  admin_routes: [{ method: 'GET', path: '/who', handler: 'who', permission: 'read' }],
  public_routes: [{ method: 'GET', path: '/open', handler: 'who', auth: 'none' }],
  slots: [
    slot('main', { title: { default: 'Main', 'zh-CN': '主页' } }),
    slot('other'),
    slot('tab', { slot: 'settings_tab' }),
    slot('staff', { area: 'admin', entry: 'ui/main.html' }),
    slot('throws'),
    slot('misses'),
    slot('silent'),
  ],
})
/** Its code. */
export const handlers = `export default { handlers: {
  who: ({ query }, { tenant, user }) => ({ tenant: tenant?.code ?? null, user: user?.id ?? null, query }),
  broken: () => { throw new Error('It is broken') },
  file: () => ({ headers: { 'content-type': 'text/csv' }, body: 'a,b' }),
} }`
/** One of its pages, with this script. */
export const html = (script: string): string =>
  `<!doctype html><html lang="en"><head><title>-</title><script type="module" src="${script}"></script></head>
<body><main><h1>Main</h1><p id="out"></p><button id="act">Act</button></main></body></html>`
const connect = `import { connect } from '/plugin-ui/sdk/1/stoa-ui.js'
const stoa = await connect()
const out = document.getElementById('out')
const show = (value) => (out.textContent = JSON.stringify(value))
`
/** The scripts of its pages, by their names. */
export const pages: Readonly<Record<string, string>> = {
  main: `${connect}
const draw = () => { const { locale, theme, timeZone, preferences, tenant, user } = stoa.context
  show({ locale, theme, timeZone, preferences, tenant, user }) }
stoa.on('context', draw)
stoa.on('route', (route) => show({ route }))
stoa.on('event', show)
const acts = {
  who: async () => show(await stoa.get('/who', { day: 'today' })),
  open: async () => show((await stoa.request({ method: 'GET', path: '/open', scope: 'public' })).body.data),
  file: async () => show((await stoa.request({ method: 'GET', path: '/file', as: 'text' })).body),
  broken: () => stoa.post('/broken').catch(({ status, code }) => show({ status, code })),
  later: async () => { await stoa.navigate('/later'); await stoa.navigate('/later/still') },
  board: async () => show(await stoa.preferences.set({ layout: 'board' })),
  sure: async () => show(await stoa.confirm({ title: 'Delete it?', text: 'It goes.', confirm: 'Delete' })),
  log: () => stoa.log('info', 'I say so'),
  fetch: () => fetch('https://elsewhere.test/').catch(() => show('refused')),
}
for (const name of Object.keys(acts)) {
  const button = document.createElement('button')
  button.textContent = name
  button.addEventListener('click', acts[name])
  document.body.append(button)
}
draw()
stoa.ready()`,
  other: `${connect}show(stoa.context.slot)\nstoa.ready()`,
  tab: `${connect}document.body.style.setProperty('height', '700px')\nshow(stoa.context.displayMode)\nstoa.ready()`,
  throws: `${connect}\nthrow new Error('It ends here')`,
  misses: `import './kept.js'\nimport './absent.js'\n${connect}stoa.ready()`,
  silent: connect,
}
