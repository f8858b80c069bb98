import { defineRoute, raw, readPage, whatIsGiven, type Route } from '#kernel'
import type { IndexImage } from '#marketplace'
import { offerFileParams, offerParams, offerPlace, offerQuery, readmeBody } from './browse-schemas.ts'
import { categoriesBody, offerDetail, offerPage } from './offer-schemas.ts'
import type { Marketplace, OfferFilter } from './marketplace.ts'

const sortable = ['name', 'updated', 'rating']
/** Whoever visits a picture directly runs nothing of it. */
const pictureHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=300',
}

/** What the sources offer, under one prefix. */
export function browseRoutes(marketplace: Marketplace, prefix: string): readonly Route[] {
  const offer = `${prefix}/marketplace/{name}`
  const shared = { method: 'get', auth: 'platform', permission: 'marketplace:browse' } as const
  return [
    defineRoute({
      ...shared,
      path: `${prefix}/marketplace`,
      summary: 'Look for plugins in the index sources',
      schema: { query: offerQuery, response: offerPage },
      handler({ query: { locale, ...query }, state }) {
        return marketplace.list(readPage(query, sortable), readFilter(query), locale ?? state.locale)
      },
    }),
    defineRoute({
      ...shared,
      path: `${prefix}/marketplace/categories`,
      summary: 'List the categories of the index sources',
      schema: { query: offerPlace, response: categoriesBody },
      handler: ({ query, state }) => marketplace.categories(query.locale ?? state.locale),
    }),
    defineRoute({
      ...shared,
      path: offer,
      summary: 'Read what a source says of a plugin and each of its versions',
      schema: { params: offerParams, query: offerPlace, response: offerDetail },
      errors: [4040, 4046, 5023],
      handler: ({ params, query, state }) =>
        marketplace.detail(params.name, query.source, query.locale ?? state.locale),
    }),
    defineRoute({
      ...shared,
      path: `${offer}/readme`,
      summary: 'Read the README of a plugin: in the language asked for, or the default one',
      schema: { params: offerParams, query: offerPlace, response: readmeBody },
      errors: [4040, 4046, 5023],
      handler: ({ params, query, state }) =>
        marketplace.readme(params.name, query.source, query.locale ?? state.locale),
    }),
    defineRoute({
      ...shared,
      path: `${offer}/files/{file*}`,
      summary: 'Read a picture beside the README of a plugin',
      answers: [{ types: ['image/*'] }],
      schema: { params: offerFileParams, query: offerPlace },
      errors: [4040, 4046, 5023],
      handler: async ({ params, query }) => picture(await marketplace.image(params.name, query.source, params.file)),
    }),
    defineRoute({
      ...shared,
      path: `${offer}/icon`,
      summary: 'Read the icon of a plugin in an index source',
      answers: [{ types: ['image/*'] }],
      schema: { params: offerParams, query: offerPlace },
      errors: [4040, 4046, 5023],
      handler: async ({ params, query }) => picture(await marketplace.icon(params.name, query.source)),
    }),
  ]
}

function picture({ type, bytes }: IndexImage) {
  return raw(bytes, type, { headers: pictureHeaders })
}

/** Without what says which page: filters that are alike share what was found. */
function readFilter(query: OfferFilter): OfferFilter {
  const { category, publisher, capability, trust, source, installed, compatible, trusted, update_available } = query
  const offered = { category, publisher, capability, trust, source }
  return whatIsGiven<string | boolean>({ ...offered, installed, compatible, trusted, update_available })
}
