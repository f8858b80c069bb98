import type { Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import type { Stage } from './stage.ts'

/** A plugin with a page, a widget and a page within notifications that tell what they are told. */
export const framed = 'acme.framed'

const manifest = {
  ...{
    capabilities: ['ui', 'notify'],
    reasons: { ui: 'Shows pages.', notify: 'Tells of orders.' },
    title: { default: 'Framed', 'zh-CN': '相框' },
  },
  permissions: [{ code: 'read', title: { default: 'Read' } }],
  tenant_routes: [
    { path: '/echo/:word', method: 'GET', handler: 'echo', permission: 'read' },
    { path: '/tell', method: 'POST', handler: 'tell' },
    { path: '/words', method: 'POST', handler: 'words', permission: 'read' },
  ],
  slots: [
    {
      slot: 'page',
      id: 'book',
      entry: 'ui/page.html',
      title: { default: 'Book', 'zh-CN': '账本' },
      permission: 'read',
    },
    { slot: 'dashboard_widget', id: 'today', entry: 'ui/page.html', title: { default: 'Today', 'zh-CN': '今天' } },
    { slot: 'notification_ui', id: 'note', entry: 'ui/page.html', title: { default: 'Note', 'zh-CN': '便笺' } },
  ],
  menu: [{ id: 'book', title: { default: 'Book', 'zh-CN': '账本' }, slot: 'book', area: 'tenant' }],
  preferences: [
    {
      ...{ key: 'layout', title: { default: 'Layout', 'zh-CN': '布局' } },
      ...{ schema: { type: 'string', enum: ['list', 'cards'] }, default: 'list' },
    },
  ],
}
const definition = `{ handlers: {
  echo: ({ params, user }, ctx) => ({ word: params.word, tenant: ctx.tenant.code }),
  tell: ({ body }, ctx) => ctx.notify.send({ userId: ctx.user.id, title: body.title, body: 'It is packed.' }),
  words: ({ body }) => ({ length: body.words.length }),
} }`
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Book</title>
<link rel="stylesheet" href="/plugin-ui/sdk/1/stoa-ui.css"><script type="module" src="page.js"></script></head>
<body><main><h2>Entries</h2><p id="seen" class="soft"></p><p id="said"></p>
<div class="row"><button id="next" class="primary">Next</button><button id="ask">Ask</button><button id="copy">Copy</button>
<label>Word <input id="word"></label></div></main></body></html>`
const script = `import { connect } from '/plugin-ui/sdk/1/stoa-ui.js'
globalThis.connect = connect
const stoa = (globalThis.stoa = await connect())
const of = (id) => document.getElementById(id)
const show = () => {
  const { locale, theme, route, tenant, user, preferences, displayMode } = stoa.context
  of('seen').textContent = [locale, theme, route, tenant.code, user.permissions.join(), preferences.layout, displayMode].join(' ')
}
stoa.on('context', show)
stoa.on('route', show)
of('next').onclick = () => stoa.navigate('/entries/' + (Number(stoa.context.route.split('/')[2] ?? 0) + 1))
of('ask').onclick = async () => {
  of('said').textContent = String(await stoa.confirm({ title: 'Delete it?', text: 'It does not come back.', danger: true }))
}
of('copy').onclick = () => stoa.copy('copied').then(() => (of('said').textContent = 'copied'))
show()
stoa.ready()
`

/** Packs a release of it. */
export function packFramed(version = '1.0.0'): Promise<Buffer> {
  return packSmall(framed, { ...manifest, version }, definition, { 'ui/page.html': page, 'ui/page.js': script })
}

/** Installs it for the demo tenant; hands out its owner's calls. */
export async function giveFramed(stage: Stage): Promise<Api> {
  const admin = await stage.staff()
  const owner = await stage.owner()
  await installAndEnable(admin, await packFramed())
  const tenants = dataOf(await admin.get('/admin/tenants?q=demo'))['items'] as unknown as { id: number }[]
  dataOf(await admin.post(`/admin/plugins/${framed}/tenants`, { tenant_ids: tenants.map(({ id }) => id) }))
  dataOf(await owner.post(`/tenant/plugins/${framed}/enable`))
  return owner
}
