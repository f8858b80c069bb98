import { packSmall } from '../../support/small-plugin.ts'

/** The name of a plugin with something at each place around the pages. */
export const around = 'acme.around'
/** The titles of its widgets in the header. */
export const widgets = ['One', 'Two', 'Three', 'Four']
/** What all of them show. */
export const shows = { entry: 'ui/page.html', area: 'tenant' }
const manifest = {
  ...{ title: { default: 'Around' }, capabilities: ['ui', 'notify'] },
  reasons: { ui: 'Shows pages.', notify: 'Tells of orders.' },
  tenant_routes: [{ method: 'POST', path: '/tell', handler: 'tell' }],
  slots: [
    ...widgets.map((title) => ({
      ...shows,
      slot: 'header_widget',
      id: title.toLowerCase(),
      title: { default: title },
    })),
    { ...shows, slot: 'header_widget', id: 'staff', title: { default: 'Staff' }, area: 'admin' },
    { ...shows, slot: 'floating_panel', id: 'desk', title: { default: 'Desk' } },
    { ...shows, slot: 'floating_panel', id: 'shelf', title: { default: 'Shelf' } },
    { ...shows, slot: 'notification_ui', id: 'order', title: { default: 'Order' } },
    { ...shows, slot: 'settings_tab', id: 'own', title: { default: 'Own' } },
  ],
}
const definition = `{ handlers: {
  tell: ({ body }, ctx) => ctx.notify.send({ userId: ctx.user.id, title: body.title, body: 'It is packed.' }),
} }`
const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Around</title>
<link rel="stylesheet" href="/plugin-ui/sdk/1/stoa-ui.css"><script type="module" src="page.js"></script></head>
<body><main><button id="do">…</button> <span id="seen"></span><div id="tall"></div></main></body></html>`
const script = `import { connect } from '/plugin-ui/sdk/1/stoa-ui.js'
const stoa = (globalThis.stoa = await connect())
const of = (id) => document.getElementById(id)
const { kind, id, area } = stoa.context.slot
const made = Math.random()
const show = () => {
  const { route, visible, notification, container } = stoa.context
  of('seen').textContent = [kind, id, area, route, visible ? 'seen' : 'unseen', notification?.title ?? '', container.height].join(' ').trim()
  document.body.dataset.made = String(made)
}
stoa.on('context', show)
stoa.on('route', show)
of('do').textContent = kind === 'header_widget' ? 'Ask the desk' : 'Count'
of('do').oncontextmenu = () => void stoa.confirm({ title: 'Is it so?', text: 'Nobody knows.' })
of('do').onclick = () => (kind === 'header_widget' ? stoa.navigate({ slot: 'desk', route: '/from/' + id }) : stoa.setBadge(7))
if (kind === 'header_widget') stoa.setBadge(id.length)
if (kind === 'notification_ui') of('tall').style.height = '900px'
show()
stoa.ready()
`

/** Its page, which all of them show. */
export const aroundFiles = { 'ui/page.html': html, 'ui/page.js': script }

/** Packs it. */
export function packAround(): Promise<Buffer> {
  return packSmall(around, manifest, definition, aroundFiles)
}
