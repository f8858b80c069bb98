/** What whoever is asked for a consent is told of the guestbook’s calls to elsewhere. */
export const guestbookHttp = {
  capability: 'http',
  optional: false,
  reason: "Shows today's exchange rate beside the entries.",
  detail: {
    hosts: [{ host: 'rates.localhost', ports: [8099], methods: ['GET'], reason: "Today's exchange rate." }],
  },
  before: null,
  risk: 'outside',
}

/** What the console is told of its page, but for its address, its picture and how far it is trusted. */
export const guestbookPage = {
  ...{ plugin: 'acme.guestbook', id: 'book', area: 'tenant', title: 'Guestbook', plugin_title: 'Guestbook' },
  ...{ size: null, version: '1.0.0', publisher: 'acme', permissions: ['read', 'write'] },
}

/** The lists in which slots are told. */
export const kindsOfSlots = [
  'dashboard_widgets',
  'floating_panels',
  'header_widgets',
  'notification_ui',
  'pages',
  'settings_tabs',
]

/** What is written into the log from its upload until it is taken from a tenant. */
export const guestbookActions = [
  'installed',
  'consent_refused',
  'consent_given',
  'enabled',
  'disabled',
  'assigned',
  'unassigned',
]
