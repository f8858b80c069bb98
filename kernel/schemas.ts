/** What schemas of bodies are made of, and nothing else of the platform: the pages of the console read the types that follow from them. */
export { cursorOf, cursorQuery, idsQuery, pageOf, pageQuery, periodQuery } from './http/list-schemas.ts'
export { objectOf, orNull } from './http/object-of.ts'
export { configTypes } from './config-types.ts'
export { locales } from './locale/locales.ts'
export type { BodyOf } from './http/body-of.ts'
